#define F() f
#define G(x) g x
F() F( ) G() G( )
