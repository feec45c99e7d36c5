// options: -cl-std=CL3.0
int x = 3;
int x;
extern int x;
int x = 4;
extern float x;
local int l;
private int p;
generic int g;
constant int c;
int y = x;
int z = sizeof(x) + 1;
global int *w = &c2;
constant int c2 = 5;
global int *v = &c2;
constant int *u = &x;
event_t e;
int undefined_bound[];
static int s = 1;
extern constant int elsewhere;
void f(int n) {
    static int count = 3;
    static int from_n = n;
    static local int sl;
    static constant int sc = 4;
    static constant int no_value;
    extern global int x;
    extern int new_one;
    global int not_static;
    count = x + new_one + sc + elsewhere;
    static int count = 4;
    const static int fixed = 7;
    fixed = 8;
}
kernel void f2(int x) { x++; }
int f;
