#include "inc/b.h"
