kernel void k()
{
    _Static_assert(sizeof(1) == 4, "int");
    _Static_assert(sizeof(4294967296) == 8, "long");
    _Static_assert(sizeof(1.0f) == 4, "float");
    _Static_assert(sizeof(1.0) == 8, "double");
    _Static_assert(sizeof(0xffffffff) == 4, "uint");
    _Static_assert(0xffffffff > 0, "unsigned");
    _Static_assert(-1 < 0u == 0, "usual conversions");
    _Static_assert(sizeof('a') == 4, "a character constant is an int");
}
// SPDX-License-Identifier: Apache-2.0
