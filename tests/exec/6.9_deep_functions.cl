// SPDX-License-Identifier: Apache-2.0
// The levels of a function count where it is called: drivers inline it.
// run: k global 32 local 32
// arg: buffer uint 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect: arg0 uint 0 3966 3969 1372 378 3978 3981 3984 3987 3990 3993 3996 3999 1235 231 4008 4011 1161 153 4020 4023 4026 4029 1042 28 1877 861 4044 4047 4050 4053 4056

#define IF(i) if ((x * ((i) * 7 + 3) & 127) != (i)) { sum += (i);
#define IFS(i) IF(i) IF(i + 1) IF(i + 2) IF(i + 3) IF(i + 4) IF(i + 5) IF(i + 6) IF(i + 7) IF(i + 8)
#define LEVELS IFS(0) IFS(9) IFS(18) IFS(27) IFS(36)
#define END }}}}}}}}} }}}}}}}}} }}}}}}}}} }}}}}}}}} }}}}}}}}}

__attribute__((noinline)) uint deep(uint x)
{
    uint sum = x;
    LEVELS
    sum *= 3;
    END
    return sum;
}

kernel void k(global uint *out)
{
    uint x = get_global_id(0), sum = 0;
    LEVELS
    sum += deep(x + 1);
    END
    out[x] = sum;
}
