#if 0
 it's "fine
 #error no
 @ `
#endif
ok
