// Control flow.
int loops(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) { if (i == 3) continue; if (s > 100) break; s += i; }
    while (n) { n--; }
    do s++; while (s & 7);
    return s;
}
int sw(int x) {
    switch (x) { case 1: x = 3; case 2 ... 4: break; default: return 0; }
    switch (x) { while (x) { case 7: x--; } }
    return x;
}
void jumps(global int *a) {
    int i = 0;
again:
    a[i] = i;
    if (++i < 10) goto again;
    goto end;
    a[0] = 5;
end:;
}
void endless(global int *a) { for (;;) { a[0]++; } }
