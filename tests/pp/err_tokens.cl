int a = "abc;
char b = 'x;
int c; /* open
