#if 1
a
