// Sorting, scanning and searching.

// One pass of a bitonic sort: pairs at `distance`, in runs of twice `run` that go up and down in turn.
kernel void bitonic(global uint *keys, uint run, uint distance) {
    uint i = get_global_id(0), left = 2 * i - (i & (distance - 1)), right = left + distance;
    uint a = keys[left], b = keys[right];
    bool up = (i & run) == 0;
    if ((a > b) == up) {
        keys[left] = b;
        keys[right] = a;
    }
}

// Exclusive scan of 512 numbers by 256 work-items (Blelloch); the totals of the blocks go to `totals`.
kernel void scan_blocks(global const uint *in, global uint *out, global uint *totals) {
    local uint tree[512];
    uint l = get_local_id(0), stride = 1;
    size_t base = get_group_id(0) * 512;
    tree[2 * l] = in[base + 2 * l];
    tree[2 * l + 1] = in[base + 2 * l + 1];
    for (uint active = 256; active > 0; active >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < active)
            tree[stride * (2 * l + 2) - 1] += tree[stride * (2 * l + 1) - 1];
        stride <<= 1;
    }
    if (l == 0) {
        totals[get_group_id(0)] = tree[511];
        tree[511] = 0;
    }
    for (uint active = 1; active < 512; active <<= 1) {
        stride >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < active) {
            uint a = stride * (2 * l + 1) - 1, b = stride * (2 * l + 2) - 1, left = tree[a];
            tree[a] = tree[b];
            tree[b] += left;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + 2 * l] = tree[2 * l];
    out[base + 2 * l + 1] = tree[2 * l + 1];
}

kernel void scan_add(global uint *out, global const uint *totals) {
    uint add = totals[get_group_id(0)];
    size_t at = get_group_id(0) * 512 + get_local_id(0);
    out[at] += add;
    out[at + 256] += add;
}

// The first place in `sorted` whose number is not below the wanted one.
kernel void binary_search(global const uint *sorted, uint n, global const uint *wanted, global uint *places) {
    size_t i = get_global_id(0);
    uint key = wanted[i], low = 0, high = n;
    while (low < high) {
        uint middle = (low + high) / 2;
        if (sorted[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    places[i] = low;
}

// Counts where `word` begins in `text`.
kernel void find_string(global const uchar *text, constant uchar *word, int length, global uint *count) {
    size_t i = get_global_id(0);
    int same = 0;
    while (same < length && text[i + same] == word[same])
        same++;
    if (same == length)
        atomic_inc(count);
}
