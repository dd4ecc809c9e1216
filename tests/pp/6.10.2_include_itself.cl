a
#include "6.10.2_include_itself.cl"
