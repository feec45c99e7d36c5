// Pipes (OpenCL C 3.0, 6.15.13): rings of packets for any number of writers and readers at a time, without locks. No
// work-item waits for another one: they may be lanes of one thread.
//
// A reservation claims positions in a row by moving a counter on; it fails if the ring is too full, or too empty, for it.
// Its id is the first position, and the number of packets in the high word, so that 0 is none. To commit, each of its
// places is marked, and then the counter of what is written (or free again) moves on over all marked places in a row:
// reservations are seen in their order, whatever order they are committed in. Whoever marks a place that the counter has
// come to moves it on; marking and looking at the counter are sequentially consistent, so that of two who do both, one
// sees the other's mark. See ir::abi::PipeHeader.
//
// Source: the bounded queue of D. Vyukov ("Bounded MPMC queue", 2010), for more than one packet at a time.

#define OVERLOAD __attribute__((overloadable))

typedef struct {
    uint packet_size, max_packets, mask, unused;
    ulong packets;
} Pipe;

#define COUNTER(memory, n) ((__global atomic_uint *)((__global uchar *)(memory) + 128 * (n)))
#define CLAIMED_BY_WRITERS(memory) COUNTER(memory, 1)
#define WRITTEN(memory) COUNTER(memory, 2)
#define CLAIMED_BY_READERS(memory) COUNTER(memory, 3)
#define FREED(memory) COUNTER(memory, 4)
#define STATE(memory, at) (COUNTER(memory, 5) + ((at) & ((__global const Pipe *)(memory))->mask))

#define ID(first, count) ((ulong)(count) << 32 | (first))
#define FIRST(id) ((uint)(id))
#define COUNT(id) ((uint)((id) >> 32))

// The limit is read before the positions are, and may have moved on since: it is only believed to be in the way when it
// is the same after.
#define RESERVE(NAME, CLAIMED, LIMIT, IS_TOO_MUCH) \
    ulong OVERLOAD NAME(__global void *memory, uint count) \
    { \
        __global const Pipe *header = memory; \
        uint max = header->max_packets; \
        if (count - 1 >= max) /* 0, too */ \
            return 0; \
        uint limit = atomic_load_explicit(LIMIT(memory), memory_order_acquire, memory_scope_all_svm_devices); \
        uint first = atomic_load_explicit(CLAIMED(memory), memory_order_relaxed, memory_scope_all_svm_devices); \
        for (;;) { \
            if (IS_TOO_MUCH) { \
                uint now = atomic_load_explicit(LIMIT(memory), memory_order_acquire, memory_scope_all_svm_devices); \
                if (now == limit) \
                    return 0; \
                limit = now; \
                first = atomic_load_explicit(CLAIMED(memory), memory_order_relaxed, memory_scope_all_svm_devices); \
            } else if (atomic_compare_exchange_strong_explicit(CLAIMED(memory), &first, first + count, \
                           memory_order_relaxed, memory_order_relaxed, memory_scope_all_svm_devices)) { \
                return ID(first, count); \
            } \
        } \
    }

RESERVE(__clo_pipe_reserve_write, CLAIMED_BY_WRITERS, FREED, first - limit > max - count)
RESERVE(__clo_pipe_reserve_read, CLAIMED_BY_READERS, WRITTEN, (int)(limit - first) < (int)count)

// Where a packet of a reservation is; null if it has none of that number.
__global void *OVERLOAD __clo_pipe_packet(__global void *memory, ulong id, uint index)
{
    __global const Pipe *header = memory;
    if (index >= COUNT(id))
        return 0;
    uint place = (FIRST(id) + index) & header->mask;
    return (__global uchar *)memory + header->packets + (ulong)place * header->packet_size;
}

// MARK(p) is the state that says that position p is done.
#define COMMIT(NAME, REACHED, MARK) \
    void OVERLOAD NAME(__global void *memory, ulong id) \
    { \
        uint places = ((__global const Pipe *)memory)->mask + 1; \
        uint first = FIRST(id), count = COUNT(id); \
        for (uint i = 0; i < count; i++) \
            atomic_store_explicit(STATE(memory, first + i), MARK(first + i), memory_order_seq_cst, \
                memory_scope_all_svm_devices); \
        uint reached = atomic_load_explicit(REACHED(memory), memory_order_seq_cst, memory_scope_all_svm_devices); \
        for (;;) { \
            uint end = reached; \
            while (end - reached < places && atomic_load_explicit(STATE(memory, end), memory_order_seq_cst, \
                                                 memory_scope_all_svm_devices) == MARK(end)) \
                end++; \
            if (end == reached) \
                return; \
            if (atomic_compare_exchange_strong_explicit(REACHED(memory), &reached, end, memory_order_seq_cst, \
                    memory_order_seq_cst, memory_scope_all_svm_devices)) \
                reached = end; \
        } \
    }

#define IS_WRITTEN(p) (2 * (p) + 1)
#define IS_FREE(p) (2 * ((p) + places))

COMMIT(__clo_pipe_commit_write, WRITTEN, IS_WRITTEN)
COMMIT(__clo_pipe_commit_read, FREED, IS_FREE)

// Packets that can be read: those that are written and not yet claimed.
uint OVERLOAD __clo_pipe_packets(__global void *memory)
{
    uint first = atomic_load_explicit(CLAIMED_BY_READERS(memory), memory_order_acquire, memory_scope_all_svm_devices);
    uint end = atomic_load_explicit(WRITTEN(memory), memory_order_acquire, memory_scope_all_svm_devices);
    return end - first;
}
