/* The loops of this room in C: the functions of `readable` by the same names. */
#include "../machine/loops.h"

#define BITS 7 /* of a number in one byte; the eighth says that more follow */
#define MOST_BYTES 5 /* bytes of one number */
#define UNREADABLE (-2)

EXPORT int64_t library_pack(const int64_t *indptr, int64_t features, const int32_t *block,
                            uint8_t *data, int64_t *end) {
    int64_t at = 0;
    for (int64_t f = 0; f < features; f++) {
        int32_t before = -1;
        for (int64_t p = indptr[f]; p < indptr[f + 1]; p++) {
            uint32_t gap = (uint32_t)(block[p] - before - 1);
            for (; gap >> BITS; gap >>= BITS) data[at++] = (uint8_t)(gap | 1u << BITS);
            data[at++] = (uint8_t)gap;
            before = block[p];
        }
        end[f] = at;
    }
    return at;
}

EXPORT int64_t library_unpack(const uint8_t *data, int64_t size, const int64_t *low,
                              const int64_t *high, const int64_t *indptr, int64_t features,
                              int64_t blocks, int32_t *block) {
    for (int64_t f = 0; f < features; f++) {
        int64_t at = low[f], end = high[f], before = -1;
        if (at < 0 || end > size) return UNREADABLE;
        for (int64_t p = indptr[f]; p < indptr[f + 1]; p++) {
            uint64_t gap = 0;
            for (int k = 0;; k++) {
                if (at >= end || k == MOST_BYTES) return UNREADABLE;
                uint8_t byte = data[at++];
                gap |= (uint64_t)(byte & ((1u << BITS) - 1)) << (BITS * k);
                if (!(byte >> BITS)) break;
            }
            before += (int64_t)gap + 1;
            if (before >= blocks) return UNREADABLE;
            block[p] = (int32_t)before;
        }
        if (at != end) return UNREADABLE;
    }
    return 0;
}
