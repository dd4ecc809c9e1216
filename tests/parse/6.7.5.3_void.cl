int f();
int g(void);
int f(void) { return g(); }
int g() { return 0; }
