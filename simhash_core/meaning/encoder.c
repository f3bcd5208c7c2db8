/* The sentence encoder in C: the word pieces of a sentence, and what its convolutions add up to.

   What is summed over pieces is whole numbers, and what is not is summed in one order, so that
   every processor gives the same vectors. */
#include <math.h>

#include "../machine/loops.h"
#if WIDTHS
#include <immintrin.h>
#elif defined(__ARM_FEATURE_DOTPROD)
#include <arm_neon.h>
#endif

/* numbers of Python, compared with these by tests/machine/test_compiled.py */
#define EMBEDDING 512 /* numbers of a piece by itself */
#define BRANCH 256    /* numbers of one of the three branches */
#define STEPS 256     /* of 1: what projections of pieces and their products are rounded to */
#define EMBEDDING_STEPS 1024

#define BRANCHES 3
#define MARGIN 2 /* rows of nothing around a sentence: a convolution reaches so far */
#define FEATURES (EMBEDDING + BRANCHES * BRANCH)
#define ROW (FEATURES + 10 * BRANCH)
#define ROWS 6 /* of a sentence, multiplied at once with */
#define COLUMNS 64
#define FLOATS 16
#define SPACE "\xE2\x96\x81" /* a blank in pieces */
#define LONGEST 99           /* bytes that one is read as at most: 33, were all blanks */

/* rows that a convolution reaches, of them before the middle, and those of the branches before */
static const int64_t REACH[] = {2, 3, 5}, BEFORE[] = {0, 1, 2}, SKIPPED[] = {0, 2, 5};

enum { UNKNOWN, BEGINNING, END }; /* pieces */

typedef float Floats __attribute__((vector_size(4 * FLOATS), aligned(4), may_alias));

/* ------------------------------------------------------------------------------- word pieces */

typedef struct {
    /* how signs are normalised: a double array (Darts) of bytes, and strings that end with 0 */
    const uint32_t *unit;
    const uint8_t *replacement;
    /* the pieces as a trie of bytes: the children of a node, in order, lie from first[node] to
       first[node + 1]; the piece that ends at a node + 1, or 0 */
    const int32_t *first, *piece;
    const uint8_t *byte;
    const float *score; /* of each piece */
    double unknown;     /* score of a sign that is none */
} Vocabulary;

static int64_t child_of(const Vocabulary *of, int64_t node, uint8_t byte) {
    int64_t low = of->first[node], end = of->first[node + 1], high = end;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (of->byte[middle] < byte)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && of->byte[low] == byte ? low : 0;
}

static int64_t end_of_sign(const uint8_t *text, int64_t at, int64_t count) {
    for (at++; at < count && (text[at] & 0xC0) == 0x80;) at++;
    return at;
}

static inline uint32_t offset_of(uint32_t unit) { return (unit >> 10) << ((unit & 0x200) >> 6); }

/* what a sentence is read as: one SPACE for all blanks in a row, none at its end */
static int64_t normalise(const Vocabulary *of, const uint8_t *text, int64_t count, uint8_t *read) {
    int64_t held = 3, next;
    bool blank = true; /* the sign before was one */
    memcpy(read, SPACE, 3);
    for (int64_t at = 0; at < count; at = next) {
        const uint8_t *from = text + at, *to;
        uint32_t node = offset_of(of->unit[0]), value = 0;
        next = 0;
        for (int64_t end = at; end < count;) {
            uint32_t unit = of->unit[node ^ text[end]];
            if ((unit & 0x800000FF) != text[end]) break;
            node ^= text[end++] ^ offset_of(unit);
            if (!(unit & 0x100)) continue;
            next = end;
            value = of->unit[node] & 0x7FFFFFFF;
        }
        if (next) {
            from = of->replacement + value;
            to = from + strlen((const char *)from);
        } else {
            next = end_of_sign(text, at, count);
            to = text + next;
        }
        while (blank && from < to && *from == ' ') from++;
        if (from < to) blank = to[-1] == ' ';
        for (; from < to; from++) {
            if (*from != ' ') {
                read[held++] = *from;
                continue;
            }
            memcpy(read + held, SPACE, 3);
            held += 3;
        }
    }
    while (held && memcmp(read + held - 3, SPACE, 3) == 0) held -= 3;
    return held;
}

/* the likeliest pieces of a text: the one that ends at `end` begins at from[end] */
static void find_pieces(const Vocabulary *of, const uint8_t *text, int64_t count, double *best,
                        int32_t *from, int32_t *piece) {
    best[0] = 0;
    for (int64_t i = 1; i <= count; i++) best[i] = -1e38;
    for (int64_t i = 0, next; i < count; i = next) {
        next = end_of_sign(text, i, count);
        for (int64_t end = i + 1, node = 0; end <= count; end++) {
            if (node || end == i + 1) node = child_of(of, node, text[end - 1]);
            int32_t value = node ? of->piece[node] : 0;
            double score = best[i] + (value ? (double)of->score[value - 1] : of->unknown);
            if ((value || end == next) && score > best[end]) {
                best[end] = score;
                from[end] = (int32_t)i;
                piece[end] = value ? value - 1 : UNKNOWN;
            }
            if (!node && end >= next) break;
        }
    }
}

static void add_piece(Arena *arena, Table *pieces, int32_t piece) {
    *(int32_t *)next_row(arena, pieces) = piece;
}

/* The pieces of each sentence, at most so many; `ends` are where sentences end in the text. */
EXPORT int64_t encoder_cut_pieces(const Vocabulary *of, const uint8_t *text, const int64_t *ends,
                                  int64_t sentences, int64_t most_pieces, Table *pieces,
                                  int64_t *counts) {
    ARENA(arena, pieces);
    Mark mark = marked(&arena);
    for (int64_t s = 0, begin = 0; s < sentences; begin = ends[s++]) {
        uint8_t *read = take(&arena, ends[s] - begin + 1, LONGEST);
        int64_t count = normalise(of, text + begin, ends[s] - begin, read), first = pieces->count;
        double *best = NEW(&arena, count + 1, double);
        int32_t *from = NEW(&arena, count + 1, int32_t), *piece = NEW(&arena, count + 1, int32_t);
        find_pieces(of, read, count, best, from, piece);
        int64_t at = count + 1; /* the pieces move to the end of `piece` */
        for (int64_t end = count; end > 0; end = from[end]) piece[--at] = piece[end];
        add_piece(&arena, pieces, BEGINNING);
        if (!count) add_piece(&arena, pieces, UNKNOWN);
        for (; at <= count && pieces->count - first < most_pieces - 1; at++)
            add_piece(&arena, pieces, piece[at]);
        add_piece(&arena, pieces, END);
        counts[s] = pieces->count - first;
        release(&arena, mark);
    }
    arena.result = NULL;
    arena_end(&arena);
    return 0;
}

/* ------------------------------------------------------------------------------- convolutions */

typedef struct {
    const int16_t *row;        /* of each piece, ROW numbers: itself, projected, multiplied */
    const int32_t *first_bias; /* in 1 / STEPS */
    const int8_t *second;      /* by COLUMNS columns, of which four rows lie together */
    const int32_t *excess;     /* what 128 added to each number adds to a column */
    const float *scale, *bias; /* of each column */
} Layers;

/* sums of ROWS rows of `depth` numbers, each BRANCH after the one before, times COLUMNS columns;
   in all forms the same whole numbers */
typedef void Multiply(const int8_t *rows, int64_t depth, const int8_t *weight,
                      const int32_t *excess, int32_t (*sum)[COLUMNS]);

static void multiply_plain(const int8_t *rows, int64_t depth, const int8_t *weight,
                           const int32_t *excess, int32_t (*sum)[COLUMNS]) {
    (void)excess;
    for (int64_t r = 0; r < ROWS; r++) {
        int32_t part[4 * COLUMNS] = {0}; /* four of each column */
        for (int64_t k = 0; k < depth; k += 4) {
            const int8_t *a = rows + r * BRANCH + k, *w = weight + k * COLUMNS;
            int16_t row[16];
            for (int64_t j = 0; j < 16; j++) row[j] = a[j & 3];
            for (int64_t c = 0; c < 4 * COLUMNS; c += 16)
                for (int64_t j = 0; j < 16; j++) part[c + j] += row[j] * w[c + j];
        }
        for (int64_t c = 0; c < COLUMNS; c++)
            sum[r][c] = part[4 * c] + part[4 * c + 1] + part[4 * c + 2] + part[4 * c + 3];
    }
}

static inline int32_t four_of(const int8_t *numbers) {
    int32_t four;
    memcpy(&four, numbers, sizeof four);
    return four;
}

#if WIDTHS
/* in words of 16 bits; half the rows and a quarter of the columns: what fits into registers */
WIDE static void multiply_words(const int8_t *rows, int64_t depth, const int8_t *weight,
                                const int32_t *excess, int32_t (*sum)[COLUMNS]) {
    (void)excess;
    for (int64_t part = 0; part < 8; part++) {
        int64_t first = part / 4 * 3, column = part % 4 * 16;
        __m256i total[3][4]; /* two sums of each column */
        for (int r = 0; r < 3; r++)
            for (int v = 0; v < 4; v++) total[r][v] = _mm256_setzero_si256();
        for (int64_t k = 0; k < depth; k += 4) {
            const __m128i *of = (const __m128i *)(weight + k * COLUMNS + 4 * column);
            __m256i columns[4];
            for (int v = 0; v < 4; v++) columns[v] = _mm256_cvtepi8_epi16(_mm_loadu_si128(of + v));
            for (int r = 0; r < 3; r++) {
                int32_t four = four_of(rows + (first + r) * BRANCH + k);
                __m256i row = _mm256_cvtepi8_epi16(_mm_set1_epi32(four));
                for (int v = 0; v < 4; v++)
                    total[r][v] =
                        _mm256_add_epi32(total[r][v], _mm256_madd_epi16(row, columns[v]));
            }
        }
        for (int r = 0; r < 3; r++)
            for (int v = 0; v < 4; v += 2) {
                __m256i both = _mm256_hadd_epi32(total[r][v], total[r][v + 1]);
                _mm256_storeu_si256((__m256i *)(sum[first + r] + column + 4 * v),
                                    _mm256_permute4x64_epi64(both, 0xD8));
            }
    }
}

/* in bytes; those of rows have no sign there, for which `excess` is taken off */
WIDEST static void multiply_bytes(const int8_t *rows, int64_t depth, const int8_t *weight,
                                  const int32_t *excess, int32_t (*sum)[COLUMNS]) {
    __m512i total[ROWS][4];
    for (int r = 0; r < ROWS; r++)
        for (int v = 0; v < 4; v++) total[r][v] = _mm512_setzero_si512();
    for (int64_t k = 0; k < depth; k += 4, weight += 4 * COLUMNS) {
        __m512i columns[4];
        for (int v = 0; v < 4; v++) columns[v] = _mm512_loadu_si512(weight + 64 * v);
        for (int r = 0; r < ROWS; r++) {
            __m512i row = _mm512_set1_epi32(four_of(rows + r * BRANCH + k));
            row = _mm512_xor_si512(row, _mm512_set1_epi8(-128));
            for (int v = 0; v < 4; v++)
                total[r][v] = _mm512_dpbusd_epi32(total[r][v], row, columns[v]);
        }
    }
#pragma GCC unroll 6 /* or GCC keeps the sums in memory */
    for (int r = 0; r < ROWS; r++)
        for (int v = 0; v < 4; v++) _mm512_storeu_si512(sum[r] + 16 * v, total[r][v]);
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) sum[r][c] -= excess[c];
}
#elif defined(__ARM_FEATURE_DOTPROD)
static void multiply_bytes(const int8_t *rows, int64_t depth, const int8_t *weight,
                           const int32_t *excess, int32_t (*sum)[COLUMNS]) {
    (void)excess;
    for (int64_t column = 0; column < COLUMNS; column += 16) {
        int32x4_t total[ROWS][4];
        for (int r = 0; r < ROWS; r++)
            for (int v = 0; v < 4; v++) total[r][v] = vdupq_n_s32(0);
        for (int64_t k = 0; k < depth; k += 4)
            for (int r = 0; r < ROWS; r++) {
                int8x16_t row = vreinterpretq_s8_s32(vdupq_n_s32(four_of(rows + r * BRANCH + k)));
                for (int v = 0; v < 4; v++)
                    total[r][v] = vdotq_s32(
                        total[r][v], vld1q_s8(weight + k * COLUMNS + 4 * column + 16 * v), row);
            }
        for (int r = 0; r < ROWS; r++)
            for (int v = 0; v < 4; v++) vst1q_s32(sum[r] + column + 4 * v, total[r][v]);
    }
}
#endif

/* the widest form that this processor has and that may run: 0, 1 or 2 */
static Multiply *form_of(int64_t width) {
#if WIDTHS
    width = least(width, leitong_width());
    return width == 2 ? multiply_bytes : width == 1 ? multiply_words : multiply_plain;
#elif defined(__ARM_FEATURE_DOTPROD)
    return width ? multiply_bytes : multiply_plain;
#else
    return multiply_plain;
#endif
}

typedef struct {
    const Layers *layers;
    const int32_t *slot;  /* row of each piece */
    const int64_t *count; /* pieces of each sentence */
    int64_t sentences;
    Multiply *multiply;
    int32_t (*hidden)[BRANCH];
    int8_t (*byte)[BRANCH];
    float (*feature)[FEATURES], (*sums)[FEATURES];
} Reading;

/* The first convolution of a branch, added up from the rows of pieces; returns the greatest number
   without its sign. */
INLINE int32_t convolve_first(const Reading *of, const int32_t *slot, int64_t count,
                              int64_t branch) {
    const int16_t *rows = of->layers->row;
    int32_t greatest = 1;
    for (int64_t t = 0; t < count; t++) {
        int32_t *sum = of->hidden[t];
        memcpy(sum, of->layers->first_bias + branch * BRANCH, BRANCH * sizeof *sum);
        for (int64_t k = 0; k < REACH[branch]; k++) {
            int64_t at = t - BEFORE[branch] + k;
            if (at < 0 || at >= count) continue;
            const int16_t *product =
                rows + (int64_t)slot[at] * ROW + FEATURES + (SKIPPED[branch] + k) * BRANCH;
            for (int64_t c = 0; c < BRANCH; c++) sum[c] += product[c];
        }
        const int16_t *projected = rows + (int64_t)slot[t] * ROW + EMBEDDING + branch * BRANCH;
        for (int64_t c = 0; c < BRANCH; c++) {
            sum[c] = (sum[c] > 0 ? sum[c] : 0) + projected[c];
            int32_t size = sum[c] < 0 ? -sum[c] : sum[c];
            greatest = size > greatest ? size : greatest;
        }
    }
    return greatest;
}

/* The second convolution: of numbers rounded to bytes, of which the greatest is 127. */
INLINE void convolve_second(const Reading *of, int64_t count, int64_t branch, int32_t greatest) {
    const Layers *layers = of->layers;
    int64_t depth = REACH[branch] * BRANCH;
    float factor = 127.0f / (float)greatest, step = (float)greatest / (127.0f * STEPS);
    memset(of->byte, 0, (size_t)(count + ROWS + 2 * MARGIN) * sizeof *of->byte);
    for (int64_t t = 0; t < count; t++) {
        const int32_t *hidden = of->hidden[t];
        int8_t *restrict byte = of->byte[t + MARGIN];
        for (int64_t c = 0; c < BRANCH; c++) /* 128.5: rounded down, what is below 0 too */
            byte[c] = (int8_t)((int32_t)((float)hidden[c] * factor + 128.5f) - 128);
    }
    for (int64_t block = 0; block < BRANCH / COLUMNS; block++) {
        int64_t first = branch * BRANCH + block * COLUMNS;
        const int8_t *weight =
            layers->second + SKIPPED[branch] * BRANCH * BRANCH + block * COLUMNS * depth;
        for (int64_t t = 0; t < count; t += ROWS) {
            int32_t sum[ROWS][COLUMNS];
            of->multiply(of->byte[t + MARGIN - BEFORE[branch]], depth, weight,
                         layers->excess + first, sum);
            for (int64_t r = 0; r < least(ROWS, count - t); r++)
                for (int64_t c = 0; c < COLUMNS; c++) {
                    float value = (float)sum[r][c] * (step * layers->scale[first + c]) +
                                  layers->bias[first + c];
                    float hidden = (float)of->hidden[t + r][block * COLUMNS + c] / STEPS;
                    of->feature[t + r][EMBEDDING + first + c] = (value > 0 ? value : 0) + hidden;
                }
        }
    }
}

INLINE float total_of(Floats part) {
    float total = 0;
    for (int i = 0; i < FLOATS; i++) total += part[i];
    return total;
}

/* adds a row, less its mean and divided by its deviation */
INLINE void add_normalised(const Floats *feature, Floats *sum) {
    Floats total = {0}, square = {0};
    for (int i = 0; i < FEATURES / FLOATS; i++) total += feature[i];
    Floats mean = total_of(total) / FEATURES + (Floats){0};
    for (int i = 0; i < FEATURES / FLOATS; i++)
        square += (feature[i] - mean) * (feature[i] - mean);
    float factor = 1.0f / sqrtf(total_of(square) / FEATURES + 1e-12f);
    for (int i = 0; i < FEATURES / FLOATS; i++) sum[i] += (feature[i] - mean) * factor;
}

INLINE void read_in(const Reading *of) {
    const int32_t *slot = of->slot;
    for (int64_t s = 0; s < of->sentences; slot += of->count[s++]) {
        for (int64_t branch = 0; branch < BRANCHES; branch++) {
            int32_t greatest = convolve_first(of, slot, of->count[s], branch);
            convolve_second(of, of->count[s], branch, greatest);
        }
        memset(of->sums[s], 0, sizeof *of->sums);
        for (int64_t t = 0; t < of->count[s]; t++) {
            const int16_t *piece = of->layers->row + (int64_t)slot[t] * ROW;
            for (int64_t i = 0; i < EMBEDDING; i++)
                of->feature[t][i] = (float)piece[i] / EMBEDDING_STEPS;
            add_normalised((const Floats *)of->feature[t], (Floats *)of->sums[s]);
        }
    }
}

IN_WIDTHS(void, read, (const Reading *of), of)

/* What the pieces of each sentence add up to; `width` is the widest form that may run. */
EXPORT int64_t encoder_read_sentences(const Layers *layers, const int32_t *slot,
                                      const int64_t *count, int64_t sentences, int64_t width,
                                      float *sums) {
    ARENA(arena, NULL);
    int64_t longest = 0;
    for (int64_t s = 0; s < sentences; s++) longest = most(longest, count[s]);
    Reading of = {layers, slot, count, sentences, .multiply = form_of(width)};
    of.hidden = take(&arena, longest, sizeof *of.hidden);
    of.byte = take(&arena, longest + ROWS + 2 * MARGIN, sizeof *of.byte);
    of.feature = take(&arena, longest, sizeof *of.feature);
    of.sums = (float(*)[FEATURES])sums;
    read(&of);
    arena_end(&arena);
    return 0;
}

/* -------------------------------------------------------------------------------- nearest texts */

typedef struct {
    const int8_t *rows;
    const int64_t *first; /* row of the first unit of each text, and the end of the last one */
    int64_t texts, depth;
    const int8_t *weight; /* other units, as in `Layers` */
    const int32_t *excess;
    int64_t blocks; /* of COLUMNS other units */
    Multiply *multiply;
    int32_t *nearest;
} Nearest;

INLINE void find_nearest_in(const Nearest *of) {
    int64_t end = of->first[of->texts], columns = of->blocks * COLUMNS, text = 0;
    int8_t some[ROWS][BRANCH] = {{0}};
    for (int64_t row = of->first[0]; row < end; row += ROWS) {
        int64_t count = least(ROWS, end - row), whose[ROWS];
        for (int64_t r = 0; r < count; r++) {
            memcpy(some[r], of->rows + (row + r) * of->depth, (size_t)of->depth);
            while (row + r >= of->first[text + 1]) text++;
            whose[r] = text;
        }
        for (int64_t block = 0; block < of->blocks; block++) {
            int32_t sum[ROWS][COLUMNS];
            of->multiply(some[0], of->depth, of->weight + block * COLUMNS * of->depth,
                         of->excess + block * COLUMNS, sum);
            for (int64_t r = 0; r < count; r++) {
                int32_t *best = of->nearest + whose[r] * columns + block * COLUMNS;
                for (int64_t c = 0; c < COLUMNS; c++)
                    best[c] = sum[r][c] > best[c] ? sum[r][c] : best[c];
            }
        }
    }
}

IN_WIDTHS(void, find_nearest, (const Nearest *of), of)

/* Raises the numbers of `nearest` to the greatest product of each text with each other unit. */
EXPORT void encoder_nearest_texts(const int8_t *rows, const int64_t *first, int64_t texts,
                                  int64_t depth, const int8_t *weight, const int32_t *excess,
                                  int64_t blocks, int64_t width, int32_t *nearest) {
    find_nearest(&(Nearest){rows, first, texts, depth, weight, excess, blocks, form_of(width),
                            nearest});
}

/* ---------------------------------------------------------------------------- layers of numbers */

typedef struct {
    const float *rows, *weight;
    int64_t count, depth, columns;
    float *product;
} Product;

/* `weight` holds FLOATS columns after the other; what is added up is so in the order of rows */
INLINE void multiply_in(const Product *of) {
    for (int64_t c = 0; c < of->columns; c += FLOATS) {
        const Floats *weight = (const Floats *)(of->weight + c * of->depth);
        for (int64_t first = 0; first < of->count; first += ROWS) {
            int64_t at[ROWS];
            Floats sum[ROWS] = {{0}};
            for (int64_t r = 0; r < ROWS; r++) at[r] = least(first + r, of->count - 1);
            for (int64_t k = 0; k < of->depth; k++)
                for (int64_t r = 0; r < ROWS; r++)
                    sum[r] += of->rows[at[r] * of->depth + k] * weight[k];
            for (int64_t r = 0; r < ROWS; r++)
                *(Floats *)(of->product + at[r] * of->columns + c) = sum[r];
        }
    }
}

IN_WIDTHS(void, multiply, (const Product *of), of)

EXPORT void encoder_multiply(const float *rows, int64_t count, int64_t depth, const float *weight,
                             int64_t columns, float *product) {
    multiply(&(Product){rows, weight, count, depth, columns, product});
}
