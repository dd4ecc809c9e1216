#define H # x
#define HH # ## #
H HH
