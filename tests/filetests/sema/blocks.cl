// options: -cl-std=CL3.0
// Blocks: what they may be declared as, capture, and be used for (OpenCL C 3.0, 6.14).
typedef int (^taking_int)(int);
int (^good)(int) = ^(int n) { return n; };
int (^unset)(int);
extern int (^elsewhere)(int);
int (^of_other_type)(int) = ^(float x) { return (int)x; };
int ^no_function;
taking_int result(void);
void parameter(int (^b)(int));
struct holder { taking_int member; };

kernel void declares(global int *out, read_only image2d_t image, local int *shared)
{
    local int own;
    int n = 1;
    taking_int array[2];
    int (^one)(int) = ^(int k) { return k + n; };
    int (^two)(int) = ^(int k) { return one(k); };
    int (^three)(void) = ^{ n = 2; return own; };
    int (^four)(void) = ^{ return get_image_width(image); };
    one = ^(int k) { return k; };
    int x = one;
    one(1, 2);
    good("text");
    (^{ return 1.5f; })(2);
    int (^five)(void) = ^{ return own + shared[0]; };
    own = five() + four();
}
