_Pragma x
_Pragma(1)
_Pragma("unroll"
