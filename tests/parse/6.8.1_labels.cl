void f(int n)
{
again:
    if (n) goto again; else goto end;
    {
    inner: n = 1;
    }
end:;
}
// SPDX-License-Identifier: Apache-2.0
