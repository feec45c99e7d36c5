constant int fits[1024] = { 1 };
constant int huge[0x40000000] = { 1 };
constant char first[200000000] = { 1 };
constant char second[200000000] = { 2 };
kernel void k(global int *out) { out[0] = fits[out[1]] + huge[out[1]]; }
