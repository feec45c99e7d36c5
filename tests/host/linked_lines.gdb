# Two units of a linked program and their header, with what is shown: lines "#= ...", in this order.
set pagination off
set confirm off
set breakpoint pending on
set print thread-events off
handle SIGSEGV nostop noprint pass

# A static function is known by its name, in each unit, and a file's breakpoints by its lines.
break here
run "-g -cl-opt-disable"
#= 2	static void here(global int *p) {
next
#= 3	    *p = 2;
up
#= 8	    if (which == 1) here(p);
print which
#= $1 = 1
print get_global_size(0)
#= $2 = 1
continue
#= 2	static void here(global int *p) {
next
#= 4	    *p = 4;
up
#= 7	    if (which == 3) here(p);
print which
#= $3 = 3
up
#= 10	    if (which > 2) elsewhere(p, which);
print get_global_size(0)
#= $4 = 1
list 1,3
#= 1	#include "shared.h"
#= 3	    *p = 2;

# The header's function, called from the second unit.
delete
break shared.h:2
continue
#= 2	    *p = 1;
up
#= 8	    if (which == 4) in_header(p);
