"ab\
cd" "e\"f" '\''
