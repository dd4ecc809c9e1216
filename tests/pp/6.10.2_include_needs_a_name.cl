#include
#include foo
#include <abc
