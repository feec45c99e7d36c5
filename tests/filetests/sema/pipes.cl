// options: -cl-std=CL3.0
// What pipes may be declared as (OpenCL C 3.0, 6.15.13).
typedef struct { char a; int b[3]; float4 c; } packet_t;
struct incomplete;
typedef struct { global int *p; } with_pointer;
typedef struct { uchar bytes[65537]; } large;

kernel void both(read_write pipe int p) {}
kernel void of_pointers(pipe int *p) {}
kernel void of_structs_with_pointers(read_only pipe with_pointer p) {}
kernel void of_incomplete(read_only pipe struct incomplete p) {}
kernel void of_large(read_only pipe large p) {}
kernel void id_parameter(reserve_id_t id) {}
void array(read_only pipe int p[2]);
pipe int result(void);
pipe int at_program_scope;
struct holder { pipe int member; };
int read_only no_pipe;
