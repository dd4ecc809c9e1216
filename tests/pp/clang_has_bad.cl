#if __has_builtin
#endif
#if __has_builtin(
#endif
#if __has_builtin()
#endif
#if __has_builtin(1)
#endif
#if __has_builtin(a b)
#endif
#if __has_builtin((a))
#endif
#if __has_attribute a
#endif
#if __has_include()
#endif
#if __has_include(<x>
#endif
#if __has_include <x>
#endif
#if __has_include(x)
#endif
__has_include("x")
int x = __has_include;
#define F(x) x
F(__has_feature(y z))
#if F(__has_feature(y) F(__has_feature) 1
#endif
__has_builtin(a
