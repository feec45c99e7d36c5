// options: -cl-std=CL1.2
int x = 3;
global int y;
constant int z = 1;
void f() {
    static int a;
    static constant int b = 2;
}
