#line 100 "shown.cl"

#error here
