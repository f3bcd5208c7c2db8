/* The vote in C; see `readable.vote`. */
#include "../machine/loops.h"

typedef struct {
    const int64_t *indptr;
    const int32_t *token;
    const int64_t *weights;
    const uint64_t *hashes;
    int64_t rows, width;
    uint64_t *words;
    bool *valid;
} Vote;

/* counts of the bits of one word in registers: loops of fixed length without a branch, over halves
   of the word, since compilers make no vectors of a shift of 64 bits */
INLINE void vote_in(const Vote *of) {
    for (int64_t row = 0; row < of->rows; row++) {
        int64_t start = of->indptr[row], end = of->indptr[row + 1], total = 0;
        for (int64_t entry = start; entry < end; entry++) total += of->weights[entry];
        of->valid[row] = total > 0;
        for (int64_t word = 0; word < of->width; word++) {
            int64_t counts[64] = {0};
            for (int64_t entry = start; entry < end; entry++) {
                uint64_t bits = of->hashes[of->width * of->token[entry] + word];
                int64_t weight = of->weights[entry];
                uint32_t low = (uint32_t)bits, high = (uint32_t)(bits >> 32);
                for (int position = 0; position < 32; position++)
                    counts[position] += weight & -(int64_t)((low >> position) & 1);
                for (int position = 0; position < 32; position++)
                    counts[32 + position] += weight & -(int64_t)((high >> position) & 1);
            }
            uint64_t signature = 0;
            for (int position = 0; position < 64; position++)
                signature |= (uint64_t)(counts[position] > total - counts[position]) << position;
            of->words[row * of->width + word] = signature;
        }
    }
}

IN_WIDTHS(void, vote, (const Vote *of), of)

EXPORT void votes_vote(const int64_t *indptr, const int32_t *token, const int64_t *weights,
                       const uint64_t *hashes, int64_t rows, int64_t width, uint64_t *words,
                       bool *valid) {
    Vote of = {indptr, token, weights, hashes, rows, width, words, valid};
    vote(&of);
}
