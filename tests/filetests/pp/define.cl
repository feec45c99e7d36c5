#define f(a, b) a
#define f(a, b) b
#define f(a, b) b
#define M_PI 3
M_PI
f(1)
f(1, 2, 3)
f(1, 2)
#define g() 1
g(1)
#define bad(a
#define bad2(a,
#define bad3(a b) c
#define bad4(a, a) c
#define bad5(1) c
#define bad6(..., a) c
#define defined 1
#define 5 6
#define
#define h(x) #y
#define i ## x
#define j x ##
#define k __VA_ARGS__
#define l"s"
l
