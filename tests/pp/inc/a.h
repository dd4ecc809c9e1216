a_h
#include "b.h"
