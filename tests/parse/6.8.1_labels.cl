void f(int n)
{
again:
    if (n) goto again; else goto end;
    {
    inner: n = 1;
    }
end:;
}
