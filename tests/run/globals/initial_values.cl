// RUN: kernel=k local=1 groups=1 std=CL3.0
// RUN: kernel=k local=1 groups=1 std=CL2.0
// ARG: buffer long[14] out
// EXPECT: 0[i] = i == 0 ? 7 : i == 1 ? 0 : i == 2 ? 7 : i == 3 ? 20 : i == 4 ? 30 : i == 5 ? 111 : i == 6 ? 101 : i == 7 ? 1 : i == 8 ? 5 : i == 9 ? 3 : i == 10 ? 8 : i == 11 ? 40 : i == 12 ? 1 : 7
struct node {
    int value;
    global struct node *next;
};

int plain = 7;
global int zero;
global int *to_plain = &plain;
global int table[4] = { 10, 20, 30, 40 };
global int *global middle = &table[2];
constant char text[] = "one";
constant char *global words[2] = { "node", text + 2 };
extern global struct node second;
global struct node first = { 1, &second };
global struct node second = { 5, &first };
static global float4 vector = (float4)(1.0f, 2.0f, 3.0f, 4.0f);
global int *constant fixed = table + 3;
extern int declared_only[];
int declared_only[] = { [2] = 8 };
int *anywhere = &plain;
void *nothing = 0;
volatile global atomic_uint counted = ATOMIC_VAR_INIT(3);
global atomic_float sums[2] = { ATOMIC_VAR_INIT(1), 2 };

kernel void k(global long *out) {
    out[0] = plain;
    out[1] = zero;
    out[2] = *to_plain;
    out[3] = table[1];
    out[4] = *middle;
    out[5] = words[0][1];
    out[6] = *words[1];
    out[7] = first.next->next->value;
    out[8] = first.next->value;
    out[9] = vector.z;
    out[10] = declared_only[2];
    out[11] = *fixed;
    out[12] = atomic_load(&counted) == 3 && atomic_load(&sums[0]) == 1 && atomic_load(&sums[1]) == 2 && to_plain == &plain && fixed == &table[3] && !nothing;
    out[13] = *anywhere;
}
