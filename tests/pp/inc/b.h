b_h __LINE__
