#if 1
a
#elif 1 / 0
b
#elif garbage (
c
#endif
