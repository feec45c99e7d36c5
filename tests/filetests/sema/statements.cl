int no_return(int a) { if (a) return 1; }
int wrong_return(int a) { return; }
kernel void statements(global int *out, float f, int4 v) {
    break;
    continue;
    case 1: out[0] = 1;
    default: ;
    switch (f) { case 1: break; }
    switch (out[0]) { case 1: case 1: break; default: break; default: break; case out[1]: break; }
    while (v) ;
    for (int i = 0; v; ++i) ;
    do ; while (v);
    if (out[0] = 1) out[1] = 2;
    label: out[2] = 3;
    label: out[3] = 4;
    return 5;
}
