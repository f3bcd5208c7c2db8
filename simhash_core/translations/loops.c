/* The loops of this room in C: the functions of `growth` by the same names, and `grow` of
   `rectangles` for sides of several stems a word. What a function does is said there. */
#include <math.h>

#include "../machine/growth.h"

/* numbers of Python, compared with these by tests/machine/test_native.py */
#define LONGEST 60.0
#define DOUBTFUL 4
#define ASCII 2

/* one text of a pair; see `growth.Side` */
typedef struct {
    const int64_t *indptr;
    const int32_t *stem;
    const double (*values)[3];
    int64_t words;
} Side;

static void worth(double rate, double others, double share, double *match, double *miss) {
    double chance = 1.0 - exp(-rate * lower(higher(others, 1.0), LONGEST));
    *match = *miss = 0.0;
    if (!(0.0 < chance && chance < share)) return;
    *match = log(share / chance);
    *miss = log((1.0 - share) / (1.0 - chance));
}

static void set_values(double *values, double rate, double share) {
    values[0] = rate;
    worth(rate, LONGEST, share, values + 1, values + 2);
}

/* the arrays of `two_sides`: what it is given, and what it writes */
typedef struct {
    const int64_t *indptr_a;
    const int32_t *stem_a;
    const uint8_t *kind_a;
    const int32_t *stem_b;
    const uint8_t *kind_b;
    const double *rate_a, *rate_b;
    int64_t words_a, stems_a, words_b, stems;
    double prior, share;
    int64_t run;
    int64_t *start;
    int32_t *local_a;
    double (*values_a)[3];
    int32_t *local_b;
    double (*values_b)[3];
} Sides;

static void mask_runs(Arena *arena, const Sides *of, int64_t distinct) {
    int64_t n = of->words_b, length = 0;
    int64_t *following = NEW(arena, n, int64_t), *head = NEW(arena, distinct, int64_t);
    for (int64_t t = 0; t < distinct; t++) head[t] = -1;
    for (int64_t j = n - 1; j >= 0; j--) {
        following[j] = head[of->local_b[j]];
        head[of->local_b[j]] = j;
    }
    for (int64_t i = 0; i < of->words_a; i++) {
        bool whole = of->kind_a[i] & ASCII && of->start[i + 1] - of->start[i] == 1;
        length = whole ? length + 1 : 0;
        if (length < of->run) continue;
        int64_t low = i - of->run + 1;
        const int32_t *sought = of->local_a + of->start[low];
        for (int64_t j = head[sought[0]]; j >= 0; j = following[j]) {
            int64_t same = 0;
            while (same < of->run && j + same < n && of->local_b[j + same] == sought[same]) same++;
            if (same < of->run) continue;
            memset(of->values_a[low], 0, (size_t)of->run * sizeof *of->values_a);
            memset(of->values_b[j], 0, (size_t)of->run * sizeof *of->values_b);
        }
    }
}

EXPORT int64_t translated_two_sides(const Sides *of) {
    ARENA(arena, NULL);
    int64_t n = of->words_b, distinct = 0, *start = of->start;
    int32_t *local = NEW(&arena, of->stems, int32_t), *first = NEW(&arena, n, int32_t);
    int64_t *count = ZEROS(&arena, n, int64_t), *offered = ZEROS(&arena, n, int64_t);
    for (int64_t t = 0; t < of->stems; t++) local[t] = -1;
    for (int64_t j = 0; j < n; j++) {
        int32_t stem = of->stem_b[j];
        if (local[stem] < 0) {
            first[distinct] = stem;
            local[stem] = (int32_t)distinct++;
        }
        of->local_b[j] = local[stem];
        count[local[stem]]++;
    }
    memset(of->values_a, 0, (size_t)of->words_a * sizeof *of->values_a);
    memset(of->values_b, 0, (size_t)n * sizeof *of->values_b);
    start[0] = 0;
    for (int64_t i = 0; i < of->words_a; i++) {
        double rate = 0.0;
        start[i + 1] = start[i];
        for (int64_t p = of->indptr_a[i]; p < of->indptr_a[i + 1]; p++) {
            int32_t t = local[of->stem_a[p]];
            double held = 0.0;
            if (t >= 0) {
                held = (double)count[t];
                offered[t]++;
                of->local_a[start[i + 1]++] = t;
            }
            rate += (held + of->prior * of->rate_b[of->stem_a[p]]) / ((double)n + of->prior);
        }
        if (start[i + 1] > start[i] || !(of->kind_a[i] & DOUBTFUL))
            set_values(of->values_a[i], rate, of->share);
    }
    for (int64_t j = 0; j < n; j++) {
        int32_t t = of->local_b[j];
        if (offered[t] > 0 || !(of->kind_b[j] & DOUBTFUL)) {
            double rate = ((double)offered[t] + of->prior * of->rate_a[first[t]]) /
                          ((double)of->words_a + of->prior);
            set_values(of->values_b[j], rate, of->share);
        }
    }
    mask_runs(&arena, of, distinct);
    arena_end(&arena);
    return distinct;
}

/* ------------------------------------------------------------------------ rectangles that grow */

/* what the other span still has of each stem, and which stem answered each word, -1 for none */
typedef struct {
    int32_t *limit, *used, *taken;
    double share;
} Counts;

static void tally(const Side *side, int64_t low, int64_t high, int32_t *limit, int32_t change) {
    low = most(low, 0);
    high = least(high, side->words);
    if (high > low)
        for (int64_t p = side->indptr[low]; p < side->indptr[high]; p++)
            limit[side->stem[p]] += change;
}

static double take_word(const Side *side, int64_t row, const Counts *of, double others) {
    double rate = side->values[row][0], match = side->values[row][1], miss = side->values[row][2];
    int32_t answer = -1;
    if (rate > 0.0) {
        if (others < LONGEST) worth(rate, others, of->share, &match, &miss);
        for (int64_t p = side->indptr[row]; p < side->indptr[row + 1]; p++) {
            int32_t stem = side->stem[p];
            if (of->used[stem] < of->limit[stem]) {
                answer = stem;
                break;
            }
        }
    }
    of->taken[row] = answer;
    return answer < 0 ? miss : match / (double)++of->used[answer];
}

static void give_back(int64_t low, int64_t high, const Counts *of) {
    for (int64_t i = low; i < high; i++) {
        if (of->taken[i] < 0) continue;
        of->used[of->taken[i]]--;
        of->taken[i] = -1;
    }
}

static Span max_sum_segment(const Side *side, const Counts *of, double others, Span span) {
    double best = 0.0, total = 0.0;
    int64_t first = span.low;
    Span found = {span.low, span.low};
    for (int64_t i = span.low; i < span.high; i++) {
        double gain = take_word(side, i, of, others);
        if (total <= 0.0) {
            total = 0.0;
            first = i;
        }
        total += gain;
        if (total > best) {
            best = total;
            found = (Span){first, i + 1};
        }
    }
    give_back(span.low, span.high, of);
    for (int64_t i = found.low; i < found.high; i++) take_word(side, i, of, others);
    return found;
}

static int64_t extend_border(const Side *side, const Counts *of, double others, double drop,
                             int64_t border, int64_t step) {
    double best = 0.0, total = 0.0;
    int64_t at = border, i = border, last = step > 0 ? side->words : 0;
    while (i != last && best - total <= drop) {
        total += take_word(side, step > 0 ? i : i - 1, of, others);
        i += step;
        if (total > best) {
            best = total;
            at = i;
        }
    }
    give_back(least(at, i), most(at, i), of);
    return at;
}

/* one text that grows beside the other */
typedef struct {
    const Side *side, *other;
    Counts counts;
    double drop;
} Growing;

static Span better_span(void *text, Span span, Span against) {
    const Growing *of = text;
    const Counts *counts = &of->counts;
    double others = (double)(against.high - against.low);
    tally(of->other, against.low, against.high, counts->limit, 1);
    Span found = max_sum_segment(of->side, counts, others, span);
    found.high = extend_border(of->side, counts, others, of->drop, found.high, 1);
    found.low = extend_border(of->side, counts, others, of->drop, found.low, -1);
    give_back(found.low, found.high, counts);
    tally(of->other, against.low, against.high, counts->limit, -1);
    return found;
}

static int32_t *untaken(Arena *arena, int64_t words) {
    int32_t *taken = NEW(arena, words, int32_t);
    for (int64_t i = 0; i < words; i++) taken[i] = -1;
    return taken;
}

/* `rects` has room for `highest`, and one; returns how many there are */
EXPORT int64_t translated_grow(const Side *a, const Side *b, int64_t distinct,
                               const int64_t (*seeds)[4], int64_t count, double share, double drop,
                               int64_t widen, int64_t ahead, int64_t highest, int64_t exact,
                               int64_t (*rects)[4]) {
    ARENA(arena, NULL);
    int32_t *limit = ZEROS(&arena, distinct, int32_t), *used = ZEROS(&arena, distinct, int32_t);
    Growing of_a = {a, b, {limit, used, untaken(&arena, a->words), share}, drop};
    Growing of_b = {b, a, {limit, used, untaken(&arena, b->words), share}, drop};
    Growth growth = {better_span, &of_a, &of_b, a->words, b->words, widen, ahead, highest, exact};
    int64_t n = grow_seeds(&growth, seeds, count, rects);
    arena_end(&arena);
    return n;
}

EXPORT int64_t translated_evidence(const Side *a, const Side *b, int64_t distinct,
                                   const bool *counted, double share, const int64_t (*rects)[4],
                                   int64_t count, double (*ratios)[2]) {
    ARENA(arena, NULL);
    int32_t *limit = ZEROS(&arena, distinct, int32_t), *used = ZEROS(&arena, distinct, int32_t);
    Counts of_a = {limit, used, untaken(&arena, a->words), share};
    Counts of_b = {limit, used, untaken(&arena, b->words), share};
    for (int64_t r = 0; r < count; r++) {
        int64_t a0 = rects[r][0], a1 = rects[r][1], b0 = rects[r][2], b1 = rects[r][3];
        ratios[r][0] = ratios[r][1] = 0.0;
        tally(b, b0, b1, limit, 1);
        for (int64_t i = a0; i < a1; i++) {
            double gain = take_word(a, i, &of_a, (double)(b1 - b0));
            if (counted[i]) ratios[r][0] += gain;
        }
        give_back(a0, a1, &of_a);
        tally(b, b0, b1, limit, -1);
        tally(a, a0, a1, limit, 1);
        for (int64_t j = b0; j < b1; j++) ratios[r][1] += take_word(b, j, &of_b, (double)(a1 - a0));
        give_back(b0, b1, &of_b);
        tally(a, a0, a1, limit, -1);
    }
    arena_end(&arena);
    return 0;
}

/* `places` has room for the words of the rectangle in a; returns how many there are */
EXPORT int64_t translated_lone_stems(const Side *a, const Side *b, int64_t distinct,
                                     const int64_t *rect, int64_t (*places)[2]) {
    ARENA(arena, NULL);
    int32_t *in_a = ZEROS(&arena, distinct, int32_t), *in_b = ZEROS(&arena, distinct, int32_t);
    int64_t *place = ZEROS(&arena, distinct, int64_t), count = 0;
    for (int64_t j = rect[2]; j < rect[3]; j++) {
        in_b[b->stem[j]]++;
        place[b->stem[j]] = j;
    }
    tally(a, rect[0], rect[1], in_a, 1);
    for (int64_t i = rect[0]; i < rect[1]; i++) {
        for (int64_t p = a->indptr[i]; p < a->indptr[i + 1]; p++) {
            int32_t stem = a->stem[p];
            if (in_a[stem] != 1 || in_b[stem] != 1) continue;
            places[count][0] = i;
            places[count++][1] = place[stem];
            break;
        }
    }
    arena_end(&arena);
    return count;
}

/* --------------------------------------------------------------------------------------- seeds */

static double surprise_of(double rate, int64_t width, double top) {
    if (rate <= 0.0) return 0.0;
    return lower(top, -log(1.0 - exp(-rate * (double)width)));
}

typedef struct {
    int64_t *indptr, *window;
    double *surprise, *total;
    int64_t windows;
} Postings;

static Postings window_postings(Arena *arena, const Side *b, int64_t distinct, int64_t width,
                                int64_t step, double top) {
    int64_t size = b->words, windows = 1 + most(0, (size - width + step - 1) / step);
    Postings of = {ZEROS(arena, distinct + 1, int64_t), NULL, ZEROS(arena, distinct, double),
                   ZEROS(arena, windows, double), windows};
    int64_t *last = NEW(arena, distinct, int64_t), *place = NEW(arena, distinct, int64_t);
    for (int64_t t = 0; t < distinct; t++) last[t] = -1;
    for (int64_t j = 0; j < size; j++) {
        int32_t stem = b->stem[j];
        of.surprise[stem] = higher(of.surprise[stem], surprise_of(b->values[j][0], width, top));
    }
    for (int64_t win = 0; win < windows; win++) {
        for (int64_t j = win * step; j < least(size, win * step + width); j++) {
            int32_t stem = b->stem[j];
            if (last[stem] == win) continue;
            last[stem] = win;
            of.indptr[stem + 1]++;
            of.total[win] += of.surprise[stem];
        }
    }
    for (int64_t t = 0; t < distinct; t++) {
        place[t] = of.indptr[t];
        of.indptr[t + 1] += of.indptr[t];
        last[t] = -1;
    }
    of.window = NEW(arena, of.indptr[distinct], int64_t);
    for (int64_t win = 0; win < windows; win++) {
        for (int64_t j = win * step; j < least(size, win * step + width); j++) {
            int32_t stem = b->stem[j];
            if (last[stem] == win) continue;
            last[stem] = win;
            of.window[place[stem]++] = win;
        }
    }
    return of;
}

/* `seeds` receives rows of three numbers; the best `highest` are handed over, in order */
EXPORT int64_t translated_window_seeds(const Side *a, const Side *b, int64_t distinct,
                                       int64_t width, int64_t step, double top, double floor,
                                       int64_t highest, Table *seeds) {
    ARENA(arena, seeds);
    Postings of_b = window_postings(&arena, b, distinct, width, step, top);
    double *dot = ZEROS(&arena, of_b.windows, double), *value = ZEROS(&arena, distinct, double);
    int64_t *stems = NEW(&arena, distinct, int64_t);
    int64_t windows = 1 + most(0, (a->words - width + step - 1) / step);
    for (int64_t win = 0; win < windows; win++) {
        double total = 0.0;
        int64_t held = 0;
        for (int64_t i = win * step; i < least(a->words, win * step + width); i++) {
            double surprise = surprise_of(a->values[i][0], width, top);
            total += surprise;
            for (int64_t p = a->indptr[i]; p < a->indptr[i + 1]; p++) {
                int32_t stem = a->stem[p];
                if (value[stem] == 0.0 && surprise > 0.0) stems[held++] = stem;
                value[stem] = higher(value[stem], surprise);
            }
        }
        for (int64_t s = 0; s < held; s++) {
            int64_t stem = stems[s];
            double shared = lower(value[stem], of_b.surprise[stem]);
            value[stem] = 0.0;
            for (int64_t p = of_b.indptr[stem]; p < of_b.indptr[stem + 1]; p++)
                dot[of_b.window[p]] += shared;
        }
        for (int64_t other = 0; other < of_b.windows; other++) {
            if (dot[other] >= floor) {
                double *seed = next_row(&arena, seeds);
                double close = 2.0 * dot[other] / (total + of_b.total[other] + 1e-9);
                seed[0] = (double)(win * step);
                seed[1] = (double)(other * step);
                seed[2] = dot[other] * sqrt(close);
            }
            dot[other] = 0.0;
        }
    }
    double(*found)[3] = (double(*)[3])seeds->row, *score = NEW(&arena, seeds->count, double);
    double(*best)[3] = take(&arena, seeds->count, sizeof(double[3]));
    int64_t *order = NEW(&arena, seeds->count, int64_t);
    for (int64_t s = 0; s < seeds->count; s++) score[s] = found[s][2];
    order_descending(&arena, score, seeds->count, order);
    for (int64_t s = 0; s < seeds->count; s++) memcpy(best[s], found[order[s]], sizeof(double[3]));
    seeds->count = least(seeds->count, highest);
    if (seeds->count) memcpy(found, best, (size_t)seeds->count * sizeof(double[3]));
    arena.result = NULL;
    arena_end(&arena);
    return 0;
}
