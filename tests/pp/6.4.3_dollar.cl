$a a$b
#define $x 1
$x
