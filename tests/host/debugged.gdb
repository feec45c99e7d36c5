# What somebody types who debugs the kernel of debugged.c, and what is shown: lines "#= ...", in this order.
set pagination off
set confirm off
set breakpoint pending on
set print thread-events off
break program.cl:15
run
#= 15	    p.v = (float4)(1.0f, 2.0f, 3.0f, at);

# Arguments, locals, a struct, and the work-item: the first of the NDRange, whose offset is 2.
print at
#= $1 = 2
print scale
#= $2 = 100
print p.x
#= $3 = 204
print get_global_id(0)
#= $4 = 2
print get_local_id(0)
#= $5 = 0
print get_group_id(0)
#= $6 = 0
print get_global_size(0)
#= $7 = 8
print get_global_id(0) - get_global_offset(0) == get_global_linear_id()
#= $8 = 1
print get_work_dim()
#= $9 = 1

# The next lines, and a variable of an inner block that hides another one.
next
#= 16	    for (int i = 0; i < 2; i++) {
print p.v
#= $10 = {1, 2, 3, 2}
next
#= 17	        float sum = p.v.w + i;
next
#= 18	        sums[get_local_id(0)] = sum;
print i
#= $11 = 0
print sum
#= $12 = 2
next
#= 16	    for (int i = 0; i < 2; i++) {
next
#= 17	        float sum = p.v.w + i;
print i
#= $13 = 1

# Another work-item comes to the breakpoint.
continue
#= 15	    p.v = (float4)(1.0f, 2.0f, 3.0f, at);
print get_global_id(0)
#= $14 = 3
print p.x
#= $15 = 206

# One work-item of the second group, after the barrier: its own copies of what crosses that, and local memory.
delete
break program.cl:23 if get_global_id(0) == 8
continue
#= 23	    out[at] = last + p.x + i;
print at
#= $16 = 8
print get_group_id(0)
#= $17 = 1
print p.x
#= $18 = 216
print p.v
#= $19 = {1, 2, 3, 8}
print i
#= $20 = 7
print last
#= $21 = 10
print sums
#= $22 = {7, 8, 9, 10}

# A function that knows its work-item, and one that does not.
delete
break program.cl:8
continue
#= 8	    return value + by;
print by
#= $23 = 3
print get_global_id(0)
#= $24 = 9
up
print at
#= $25 = 9
delete
continue
#= the kernel's results are right
