typedef int T;
void f(T T, int float4) {
    int x = T * float4;
    { typedef float x; x y; (x) * &y; }
    x * x;
}
T g(void) { T T = 1; { T: goto T; } return (T) + 1; }
enum { uint2 = 3 };
int h = uint2 + 1;
