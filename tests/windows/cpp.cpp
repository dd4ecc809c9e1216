// SPDX-License-Identifier: Apache-2.0
// A program in C++ over the OpenCL SDK's header.
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include <iostream>
#include <vector>

int main()
{
    try {
        cl::Device device = cl::Device::getDefault();
        cl::Program program("kernel void add(global int *x, int n) { x[get_global_id(0)] += n; }", true);
        std::vector<int> numbers(1000, 7);
        cl::Buffer buffer(numbers.begin(), numbers.end(), false);
        cl::KernelFunctor<cl::Buffer, int> add(program, "add");
        add(cl::EnqueueArgs(cl::NDRange(numbers.size())), buffer, 35).wait();
        cl::copy(buffer, numbers.begin(), numbers.end());
        for (int number : numbers)
            if (number != 42)
                return 1;
        try {
            cl::Program bad("kernel void k() { nothing }", true);
            return 1;
        } catch (const cl::Error &) {
        }
        std::cout << device.getInfo<CL_DEVICE_NAME>() << "\n";
        return 0;
    } catch (const cl::Error &error) {
        std::cout << error.what() << ": " << error.err() << "\n";
        return error.err() == CL_DEVICE_NOT_FOUND ? 77 : 1;
    }
}
