#warning look out
ok
