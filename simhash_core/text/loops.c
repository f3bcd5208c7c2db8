/* The loops of this room over code points in C: the functions of `flat` and `classes` by the same
   names. What a function does is said there. */
#include "../machine/ranges.h"

/* numbers of Python, compared with these by tests/machine/test_native.py */
#define LEFT 1
#define SPACE 2
#define BREAK 4
#define IS_HAN 8
#define LONGER 16
#define VARIANT 32
#define ACCENTED 64
#define DROPPED 128
#define LONGEST 4
#define SPACED_LETTERS 5
#define MANY_ACCENTS 20
#define MANY_SIGNS 20
#define LOOKED_AT 20000
#define WORDS_LOOKED_AT 4000
#define LONG_RUN 30
/* as in `classes`, without the prefix */
#define OF_LETTER 1
#define OF_SIGN 2
#define OF_BLANK 4
#define OF_BEYOND 8
#define OF_ACCENTED 32
#define OF_PRIVATE 256
#define OF_IS_HAN 2048
#define OF_USUAL_HAN 8192
#define OF_TURNED 16384

enum { NO_HAN, HEAD, INSIDE };
enum { BEGIN, END, MIDDLE, SINGLE };

/* ---------------------------------------------------------------------------------- one form */

typedef struct {
    const int32_t *raw;
    const uint8_t *kind;
    const int32_t *fold, *longer;
    int32_t *code, *start, *end;
} Folding;

static inline bool is_letter(int32_t point) { return 0x61 <= point && point <= 0x7A; }

static inline bool is_sign(int32_t point) {
    return (0x30 <= point && point <= 0x39) || point == 0x40 || point == 0x24;
}

/* the end of a run of white space; `following` is what comes after it */
static int64_t space_run(const Folding *of, int64_t at, int64_t stop, int64_t *following,
                         int64_t *breaks) {
    int64_t end = at;
    int32_t before = 0;
    *breaks = 0;
    for (; at < stop && of->kind[at] & (SPACE | DROPPED); at++) {
        if (!(of->kind[at] & SPACE)) continue;
        if (of->kind[at] & BREAK && !(of->raw[at] == 0x0A && before == 0x0D)) ++*breaks;
        before = of->raw[at];
        end = at + 1;
    }
    *following = at;
    return end;
}

static inline int64_t put(const Folding *of, int64_t at, int32_t point, int64_t start,
                          int64_t end) {
    of->code[at] = point;
    of->start[at] = (int32_t)start;
    of->end[at] = (int32_t)end;
    return at + 1;
}

/* fold one text from `at` on; returns the end of what was written */
static int64_t fold_one(const Folding *of, int64_t begin, int64_t stop, int64_t at,
                        uint8_t *needs) {
    int64_t wrote = at, accents = 0, alone = 0, since_gap = 0, signs = 0, i = begin;
    bool after_han = false;
    *needs = 0;
    while (i < stop) {
        uint8_t what = of->kind[i];
        if (what & LEFT) {
            *needs = LEFT;
            return wrote;
        }
        if (what & SPACE) {
            int64_t following, breaks, j = space_run(of, i, stop, &following, &breaks);
            bool letter = breaks == 0 && at > wrote && is_letter(of->code[at - 1]);
            alone = letter ? (since_gap == 1 ? alone + 1 : 1) : 0;
            if (alone >= SPACED_LETTERS) {
                *needs = LEFT;
                return wrote;
            }
            since_gap = 0;
            if (breaks > 1 || !(after_han && following < stop && of->kind[following] & IS_HAN))
                for (int times = breaks > 1 ? 2 : 1; times > 0; times--)
                    at = put(of, at, breaks ? 0x0A : 0x20, i - begin, j - begin);
            after_han = false;
            i = following;
            continue;
        }
        if (what & LONGER) {
            const int32_t *form = of->longer + (int64_t)LONGEST * of->fold[of->raw[i]];
            for (int k = 0; k < LONGEST && form[k] != 0; k++, since_gap++)
                at = put(of, at, form[k], i - begin, i - begin + 1);
        } else if (!(what & DROPPED)) {
            int32_t point = of->fold[of->raw[i]];
            if (at > wrote && since_gap > 0) {
                int32_t before = of->code[at - 1];
                if (is_sign(point))
                    signs += is_letter(before);
                else if (is_sign(before))
                    signs += is_letter(point);
            }
            at = put(of, at, point, i - begin, i - begin + 1);
            since_gap++;
        }
        if (!(what & DROPPED)) after_han = (what & IS_HAN) != 0;
        if (what & ACCENTED) accents++;
        if (what & VARIANT) *needs = VARIANT;
        i++;
    }
    if (accents >= MANY_ACCENTS || signs >= MANY_SIGNS) *needs |= ACCENTED;
    return at;
}

EXPORT void text_fold_texts(const int32_t *raw, const uint8_t *kind, const int64_t *indptr,
                            int64_t texts, const int32_t *fold, const int32_t *longer,
                            int32_t *code, int32_t *start, int32_t *end, int64_t *ends,
                            uint8_t *needs) {
    Folding of = {raw, kind, fold, longer, code, start, end};
    int64_t at = 0;
    ends[0] = 0;
    for (int64_t text = 0; text < texts; text++)
        ends[text + 1] = at = fold_one(&of, indptr[text], indptr[text + 1], at, needs + text);
}

/* ----------------------------------------------------------------------------------- counting */

enum { OTHER, LETTER, JOINER };

static inline int latin_class(int32_t point) {
    if ((0x61 <= point && point <= 0x7A) || (0x30 <= point && point <= 0x39)) return LETTER;
    return point == 0x27 || point == 0x5F ? JOINER : OTHER;
}

/* the next word from `*begin` on; returns its end, or `stop` with `*begin` there too */
static int64_t next_word(const int32_t *code, const uint8_t *head, int64_t *begin, int64_t stop,
                         bool latin) {
    int64_t at = *begin;
    for (; at < stop; at++) {
        if (latin ? latin_class(code[at]) != LETTER : head[at] != HEAD) continue;
        int64_t end = at + 1;
        if (latin) {
            for (; end < stop; end++) {
                int what = latin_class(code[end]);
                if (what == JOINER && end + 1 < stop)
                    what = latin_class(code[end + 1]) == LETTER ? LETTER : OTHER;
                if (what != LETTER) break;
            }
        } else {
            while (end < stop && head[end] == INSIDE) end++;
        }
        *begin = at;
        return end;
    }
    *begin = stop;
    return stop;
}

/* `state` holds how many texts and how many distinct words are done */
EXPORT void text_count_words(const int32_t *code, const uint8_t *head, const int64_t *indptr,
                             int64_t texts, int64_t *table, int64_t size, int32_t *first,
                             int32_t *last, int32_t *entry_of, int32_t *word, int32_t *count,
                             int64_t *ends, int64_t *state) {
    int64_t text = state[0], words = state[1];
    for (; text < texts; text++) {
        int64_t begins = indptr[text], stop = indptr[text + 1];
        if (2 * (words + stop - begins) > size) break;
        int64_t oldest = ends[text], entries = oldest;
        for (int script = 0; script < 2; script++) {
            for (int64_t begin = begins, end;; begin = end) {
                end = next_word(code, head, &begin, stop, script == 1);
                if (begin == end) break;
                int64_t key = hash_of(code, begin, end);
                int64_t place = place_of(code, begin, end, table, size, first, last, key);
                if (table[place] == EMPTY) {
                    table[place] = key << 32 | words;
                    first[words] = (int32_t)begin;
                    last[words] = (int32_t)end;
                    entry_of[words++] = -1;
                }
                int64_t number = table[place] & 0xFFFFFFFF, entry = entry_of[number];
                if (entry < oldest) {
                    entry = entries++;
                    entry_of[number] = (int32_t)entry;
                    word[entry] = (int32_t)number;
                    count[entry] = 0;
                }
                count[entry]++;
            }
        }
        ends[text + 1] = entries;
    }
    state[0] = text;
    state[1] = words;
}

/* -------------------------------------------------------------------------------- characters */

/* the numbers of `classes.Characters`, in their order */
enum {
    HELD, ACCENTS, PRIVATES, SPACED, LETTERS, HAN, HEAD_ACCENTS, USUAL, BEYOND, BLANKS, SIGNS,
    SIGNS_AFTER, BESIDE, WORDS, IN_LONG, DOUBLED, BACKWARDS, LETTER_A, NUMBERS = LETTER_A + 26
};

/* whether two single letters follow each other with nothing but white space between */
static bool has_single_letters(const uint16_t *class, int64_t n) {
    for (int64_t at = 1; at + 1 < n; at++) {
        if (!(class[at - 1] & OF_BLANK) || !(class[at] & OF_LETTER)) continue;
        int64_t next = at + 1;
        while (next < n && class[next] & OF_BLANK) next++;
        if (next == at + 1) continue;
        if (next + 1 < n && class[next] & OF_LETTER && class[next + 1] & OF_BLANK) return true;
        at = next - 1;
    }
    return false;
}

static inline int32_t lower_at(const int32_t *point, const uint16_t *class, int64_t at) {
    return class[at] & OF_LETTER ? point[at] | 0x20 : point[at];
}

typedef struct {
    const int32_t *code;
    const int64_t *end;
    int64_t words, with_space; /* those that begin with a space come first */
    int64_t *after;            /* where each was seen last */
} Needles;

/* how many words of a list begin here, none of them where it was seen already */
static int64_t words_at(const int32_t *point, const uint16_t *class, int64_t at, int64_t stop,
                        const Needles *of) {
    bool space = point[at] == 0x20;
    int64_t word = space ? 0 : of->with_space, last = space ? of->with_space : of->words;
    int64_t seen = 0, begin = word > 0 ? of->end[word - 1] : 0;
    for (; word < last; begin = of->end[word++]) {
        int64_t length = of->end[word] - begin, k = 1;
        if (of->code[begin] != point[at]) continue;
        if (at < of->after[word] || at + length > stop) continue;
        while (k < length && lower_at(point, class, at + k) == of->code[begin + k]) k++;
        if (k < length) continue;
        of->after[word] = at + length;
        seen++;
    }
    return seen;
}

static int64_t count_words(const int32_t *point, const uint16_t *class, int64_t n, Needles of) {
    int64_t seen = 0, begin = 0;
    for (; of.with_space < of.words && of.code[begin] == 0x20; begin = of.end[of.with_space++]) {}
    for (int64_t at = 0; at < n; at++)
        if (class[at] & OF_TURNED) seen += words_at(point, class, at, n, &of);
    return seen;
}

/* pairs of a letter and a digit or sign that stand for one, none of them sharing a character */
static int64_t count_beside(const int32_t *point, const uint16_t *class, int64_t n) {
    int64_t pairs = 0;
    for (int64_t at = 0; at + 1 < n; at++) {
        bool first = class[at] & OF_LETTER, second = class[at + 1] & OF_LETTER;
        if (first == second || !is_sign(point[first ? at + 1 : at])) continue;
        pairs++;
        at++;
    }
    return pairs;
}

static void count_letters(const int32_t *point, const uint16_t *class, int64_t n,
                          int64_t *counts) {
    int64_t run = 0;
    for (int64_t at = 0; at < n; at++) {
        if (!(class[at] & OF_LETTER)) {
            counts[SIGNS_AFTER] += class[at] & OF_SIGN && run > 0;
            run = 0;
            continue;
        }
        int32_t letter = point[at] | 0x20;
        counts[LETTER_A + letter - 0x61]++;
        counts[WORDS] += run == 0;
        counts[DOUBLED] += run == 1 && (point[at - 1] | 0x20) == letter;
        if (++run == LONG_RUN)
            counts[IN_LONG] += LONG_RUN;
        else if (run > LONG_RUN)
            counts[IN_LONG]++;
    }
}

static int64_t number_of(const uint16_t *class, int64_t n, uint16_t bits) {
    int64_t number = 0;
    for (int64_t at = 0; at < n;) {
        int64_t stop = at + UINT16_MAX < n ? at + UINT16_MAX : n;
        uint16_t part = 0; /* as wide as a class: compilers count many at once */
        for (; at < stop; at++) part += (class[at] & bits) != 0;
        number += part;
    }
    return number;
}

static void count_characters(const int32_t *point, const uint16_t *class, int64_t n, Needles of,
                             int64_t *counts) {
    int64_t head = n < WORDS_LOOKED_AT ? n : WORDS_LOOKED_AT;
    uint16_t held = 0;
    for (int64_t at = 0; at < n; at++) held |= class[at];
    counts[HELD] = held;
    if (held & OF_ACCENTED) counts[ACCENTS] = number_of(class, n, OF_ACCENTED);
    if (held & OF_PRIVATE)
        counts[PRIVATES] = number_of(class, n < LOOKED_AT ? n : LOOKED_AT, OF_PRIVATE);
    counts[SPACED] = has_single_letters(class, n);
    static const uint16_t bits[] = {OF_LETTER,   OF_IS_HAN, OF_ACCENTED, OF_USUAL_HAN,
                                    OF_BEYOND, OF_BLANK,  OF_SIGN};
    for (int k = 0; k < 7; k++) counts[LETTERS + k] = number_of(class, head, bits[k]);
    count_letters(point, class, head, counts);
    counts[BESIDE] = counts[SIGNS] ? count_beside(point, class, head) : 0;
    counts[BACKWARDS] = count_words(point, class, head, of);
}

/* `table` holds the class of every code point, `after` has room for a number for each needle */
EXPORT void text_count_characters(const int32_t *point, const uint16_t *table,
                                  const int64_t *bounds, int64_t texts, const int32_t *needles,
                                  const int64_t *ends, int64_t words, int64_t *after,
                                  uint16_t *class, int64_t (*counts)[NUMBERS]) {
    for (int64_t at = bounds[0]; at < bounds[texts]; at++) class[at] = table[point[at]];
    for (int64_t text = 0; text < texts; text++) {
        int64_t first = bounds[text];
        memset(after, 0, (size_t)words * sizeof(int64_t));
        Needles of = {needles, ends, words, 0, after};
        count_characters(point + first, class + first, bounds[text + 1] - first, of, counts[text]);
    }
}
