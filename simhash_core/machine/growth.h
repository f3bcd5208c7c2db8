/* Rectangles that grow on seeds: the spans of two texts are improved in turn, each beside the other.
   What a span is worth is the business of the room, which gives the best one. */
#ifndef LEITONG_GROWTH_H
#define LEITONG_GROWTH_H

#include "loops.h"

typedef struct {
    int64_t low, high;
} Span;

/* the best span of one text around `span` beside the span `against` of the other one */
typedef Span BetterSpan(void *text, Span span, Span against);

typedef struct {
    BetterSpan *better;
    void *a, *b; /* the two texts, as `better` takes them */
    int64_t na, nb;
    int64_t widen, ahead; /* tokens around a seed, and seen beyond the other span */
    int64_t most, exact;  /* seeds that are tried, and those of them that are taken as they are */
} Growth;

static inline bool are_same(Span one, Span other) {
    return one.low == other.low && one.high == other.high;
}

static inline Span around(Span span, int64_t more) {
    return (Span){span.low - more, span.high + more};
}

static inline Span united(Span span, Span found) {
    if (found.high <= found.low) return span;
    return (Span){least(span.low, found.low), most(span.high, found.high)};
}

/* First both sides only grow, each seeing `ahead` tokens beyond the other's span: otherwise neither
   could grow past a token that the other's span does not hold yet. Then both may shrink. */
static void grow_one(const Growth *of, int64_t *rect) {
    Span a = {rect[0], rect[1]}, b = {rect[2], rect[3]};
    for (int turn = 0; turn < 60; turn++) {
        Span c = united(a, of->better(of->a, a, around(b, of->ahead)));
        Span d = united(b, of->better(of->b, b, around(c, of->ahead)));
        bool same = are_same(c, a) && are_same(d, b);
        a = c;
        b = d;
        if (same) break;
    }
    for (int turn = 0; turn < 8; turn++) {
        Span c = of->better(of->a, a, b), d = of->better(of->b, b, c);
        bool same = are_same(c, a) && are_same(d, b);
        a = c;
        b = d;
        if (same) break;
    }
    memcpy(rect, (int64_t[4]){a.low, a.high, b.low, b.high}, sizeof(int64_t[4]));
}

static inline bool is_held(int64_t (*rects)[4], int64_t count, const int64_t *seed) {
    int64_t twice_a = seed[0] + seed[1], twice_b = seed[2] + seed[3];
    for (int64_t r = 0; r < count; r++)
        if (2 * rects[r][0] <= twice_a && twice_a < 2 * rects[r][1] && 2 * rects[r][2] <= twice_b &&
            twice_b < 2 * rects[r][3])
            return true;
    return false;
}

static inline bool is_repeated(int64_t (*rects)[4], int64_t count, const int64_t *rect) {
    for (int64_t r = 0; r < count; r++)
        if (memcmp(rects[r], rect, sizeof(int64_t[4])) == 0) return true;
    return false;
}

/* `rects` has room for `most`, and one; returns how many there are. A seed whose centre lies in an
   earlier rectangle is skipped. */
static int64_t grow_seeds(const Growth *of, const int64_t (*seeds)[4], int64_t count,
                          int64_t (*rects)[4]) {
    int64_t n = 0, tried = 0, widen = of->widen;
    for (int64_t s = 0; s < count && tried < of->most; s++) {
        int64_t *rect = rects[n];
        memcpy(rect, seeds[s], sizeof(int64_t[4]));
        if (is_held(rects, n, rect)) continue;
        tried++;
        if (s >= of->exact) {
            rect[0] = most(0, rect[0] - widen);
            rect[1] = least(of->na, rect[1] + widen);
            rect[2] = most(0, rect[2] - widen);
            rect[3] = least(of->nb, rect[3] + widen);
        }
        grow_one(of, rect);
        if (rect[1] > rect[0] && rect[3] > rect[2] && !is_repeated(rects, n, rect)) n++;
    }
    return n;
}

#endif
