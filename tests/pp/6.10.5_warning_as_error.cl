// options: -Werror
#warning look out
