#if undefined_name
no
#elif int
no
#elif !for
yes
#endif
