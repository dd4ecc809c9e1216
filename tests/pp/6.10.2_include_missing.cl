int a;
#include "no/such/file.h"
int b;
