// options: -g -cl-opt-disable
// Variables have types, places and scopes; an inner one of the same name has a scope of its own.
typedef struct node { float3 at; struct node *next; uchar tag[4]; } node;

int twice(int n) {
    int result = n * 2;
    return result;
}

kernel void k(global int *out, const char first) {
    local short sums[2];
    int i;
    node start;
    for (int i = 0; i < 2; i++) {
        int sum = twice(i);
        sums[i] = (short)sum;
    }
    out[0] = sums[1];
}
