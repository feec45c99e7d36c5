struct with_pointer { int a; global int *p; };
kernel int returns(global int *p) { return 0; }
kernel void privates(int *p) { }
kernel void nested(global int **p) { }
kernel void truth(bool b) { }
kernel void record(struct with_pointer s) { }
kernel void halves(half h) { }
kernel void sized(event_t e) { }
kernel __attribute__((reqd_work_group_size(1, 2))) void attributes(int i) { }
kernel __attribute__((reqd_work_group_size(0, 1, 1))) void zero(int i) { }
int global_variable = 3;
constant int uninitialised;
constant int good = 1 + 2 * 3;
constant int bad = good + sizeof(int) + get_global_id(0);
void plain(void) { local int tile[16]; static int s; global int g; }
kernel void locals(int n) {
    local int ok[16];
    local int init = 1;
    int vla[n];
    int negative[-1];
    { local int inner; }
    half h;
    void v;
    struct undefined u;
}
int twice(int a) { return a; }
int twice(int a) { return a; }
float twice(int a);
int f(int a, ...) { return a; }
int recursive(int n) { return n ? recursive(n - 1) : 0; }
int ping(int n);
int pong(int n) { return ping(n); }
int ping(int n) { return pong(n); }
