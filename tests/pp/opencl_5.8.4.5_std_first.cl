// options: -cl-std=CL
__OPENCL_C_VERSION__
