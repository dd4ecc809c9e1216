_Pragma x
_Pragma(1)
_Pragma )
_Pragma("unroll"
