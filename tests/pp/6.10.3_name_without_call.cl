#define F(x) <x>
F F() F + F
F
(1) F;
