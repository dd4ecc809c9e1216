#include "unbalanced.h"
#endif
