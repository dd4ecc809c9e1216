#error a[31mb 
	@	#
	#error ÿ
