/* Reads the OpenCL C file that AS_C names as C, so that the host can check a result with the same text. Enough of the
 * language for simple kernels: they become static functions, and `FOR_ITEMS` calls one for every work-item. */
#include <stddef.h>

static size_t as_c_id[3], as_c_size[3];
typedef unsigned char uchar;
typedef unsigned int as_c_uint;

#define kernel static
#define global
#define constant const
#define uint as_c_uint
#define get_global_id(d) as_c_id[d]
#define get_global_size(d) as_c_size[d]
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define rotate(x, n) ((x) << (n) | (x) >> (32 - (n)))

#include AS_C

#undef kernel
#undef global
#undef constant
#undef uint
#undef get_global_id
#undef get_global_size
#undef min
#undef max
#undef rotate

/* Runs `call` for the work-items of a range of nx * ny * nz. */
#define FOR_ITEMS(nx, ny, nz, call)                                            \
    do {                                                                       \
        as_c_size[0] = (nx), as_c_size[1] = (ny), as_c_size[2] = (nz);         \
        for (as_c_id[2] = 0; as_c_id[2] < as_c_size[2]; as_c_id[2]++)          \
            for (as_c_id[1] = 0; as_c_id[1] < as_c_size[1]; as_c_id[1]++)      \
                for (as_c_id[0] = 0; as_c_id[0] < as_c_size[0]; as_c_id[0]++) \
                    call;                                                      \
    } while (0)
