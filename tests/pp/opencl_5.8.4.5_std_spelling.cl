// options: -cl-std=cl1.1
__OPENCL_C_VERSION__
