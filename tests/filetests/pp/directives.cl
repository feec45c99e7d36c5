#define paste(a, b) a ## b
paste(+, /)
paste(a, -)
paste(-, >) paste(<, <=) paste(L, "x") paste(1, .5e+) paste(/, /)
#error an error message, it's   "here" // with comment
#warning a warning message
#define __LINE__ 5
#undef __FILE__
#line 0x10
#line 1 2
#line
f(1,
