/* The loops of this room over code points in C: the functions of `flat` and `cutting` by the same
   names. What a function does is said there. */
#include <math.h>

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
#define LOW 0x4E00
#define HIGH 0x9FD5
#define CHARACTERS 20950
#define CHARACTER_BITS 15
#define NODE_BITS 20
#define SPREAD 0x9E3779B
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

/* ------------------------------------------------------------------------------------- words */

typedef struct {
    const int32_t *first;
    const int64_t *slots;
    int64_t mask;
    const double *weight, *emission;
} Lexicon;

static inline int64_t child(const Lexicon *of, int64_t node, int64_t character) {
    int64_t key = node << CHARACTER_BITS | character;
    int64_t at = (key * SPREAD >> CHARACTER_BITS) & of->mask;
    for (; of->slots[at] != 0; at = (at + 1) & of->mask)
        if (of->slots[at] >> NODE_BITS == key) return of->slots[at] & ((1 << NODE_BITS) - 1);
    return 0;
}

static bool is_word(const Lexicon *of, const int32_t *code, int64_t begin, int64_t stop) {
    int64_t node = of->first[code[begin] - LOW];
    for (int64_t at = begin + 1; at < stop; at++) {
        if (node == 0) return false;
        node = child(of, node, code[at] - LOW);
    }
    return node != 0 && of->weight[node] <= 0.0;
}

static void best_path(const Lexicon *of, const int32_t *code, int64_t begin, int64_t stop,
                      double *score, int64_t *last) {
    score[stop - begin] = 0.0;
    for (int64_t at = stop - 1; at >= begin; at--) {
        double best = 0.0;
        int64_t where = at, end = at, node = of->first[code[at] - LOW];
        bool seen = false;
        while (node != 0) {
            if (of->weight[node] <= 0.0) {
                double value = of->weight[node] + score[end + 1 - begin];
                if (!seen || value >= best) { /* on a tie the longer word */
                    best = value;
                    where = end;
                    seen = true;
                }
            }
            if (++end == stop) break;
            node = child(of, node, code[end] - LOW);
        }
        if (!seen) best = of->weight[0] + score[at + 1 - begin];
        score[at - begin] = best;
        last[at - begin] = where;
    }
}

static void join_singles(const Lexicon *of, const int32_t *code, int64_t begin, int64_t stop,
                         uint8_t *back, uint8_t *head) {
    const double(*emission)[4] = (const double(*)[4])of->emission;
    const double *start = emission[CHARACTERS + 4], *from_b = emission[CHARACTERS + BEGIN],
                 *from_e = emission[CHARACTERS + END], *from_m = emission[CHARACTERS + MIDDLE],
                 *from_s = emission[CHARACTERS + SINGLE], *row = emission[code[begin] - LOW];
    double b = start[BEGIN] + row[BEGIN], e = start[END] + row[END];
    double m = start[MIDDLE] + row[MIDDLE], s = start[SINGLE] + row[SINGLE];
    for (int64_t at = begin + 1; at < stop; at++) {
        row = emission[code[at] - LOW];
        uint8_t *to = back + 4 * (at - begin);
        double b_of_e = e + from_e[BEGIN] + row[BEGIN], b_of_s = s + from_s[BEGIN] + row[BEGIN];
        double e_of_b = b + from_b[END] + row[END], e_of_m = m + from_m[END] + row[END];
        double m_of_b = b + from_b[MIDDLE] + row[MIDDLE], m_of_m = m + from_m[MIDDLE] + row[MIDDLE];
        double s_of_e = e + from_e[SINGLE] + row[SINGLE], s_of_s = s + from_s[SINGLE] + row[SINGLE];
        to[BEGIN] = b_of_s >= b_of_e ? SINGLE : END;
        to[END] = e_of_m >= e_of_b ? MIDDLE : BEGIN;
        to[MIDDLE] = m_of_m >= m_of_b ? MIDDLE : BEGIN;
        to[SINGLE] = s_of_s >= s_of_e ? SINGLE : END;
        b = higher(b_of_s, b_of_e);
        e = higher(e_of_m, e_of_b);
        m = higher(m_of_m, m_of_b);
        s = higher(s_of_s, s_of_e);
    }
    int state = s >= e ? SINGLE : END;
    for (int64_t at = stop - 1; at >= begin; at--) {
        head[at] = state == BEGIN || state == SINGLE ? HEAD : INSIDE;
        if (at > begin) state = back[4 * (at - begin) + state];
    }
    head[begin] = HEAD; /* of unknown characters the best path may begin in the middle of a word */
}

static void cut_singles(const Lexicon *of, const int32_t *code, int64_t begin, int64_t stop,
                        uint8_t *back, uint8_t *head) {
    if (stop - begin == 1 || is_word(of, code, begin, stop))
        memset(head + begin, HEAD, (size_t)(stop - begin));
    else
        join_singles(of, code, begin, stop, back, head);
}

static void cut_run(const Lexicon *of, const int32_t *code, int64_t begin, int64_t stop,
                    double *score, int64_t *last, uint8_t *back, uint8_t *head) {
    best_path(of, code, begin, stop, score, last);
    int64_t singles = -1;
    for (int64_t at = begin; at < stop;) {
        int64_t after = last[at - begin] + 1;
        if (after - at == 1) {
            if (singles < 0) singles = at;
        } else {
            if (singles >= 0) cut_singles(of, code, singles, at, back, head);
            singles = -1;
            head[at] = HEAD;
            memset(head + at + 1, INSIDE, (size_t)(after - at - 1));
        }
        at = after;
    }
    if (singles >= 0) cut_singles(of, code, singles, stop, back, head);
}

static bool is_rare(int32_t point) {
    if (point < 0x3007 || (0x4E00 <= point && point <= 0x9FD5)) return false;
    if (point <= 0x9FFF)
        return point == 0x3007 || (0x3400 <= point && point <= 0x4DBF) || point >= 0x9FD6;
    return (0xF900 <= point && point <= 0xFAFF) || (0x20000 <= point && point <= 0x3134F);
}

EXPORT void text_cut_words(const int32_t *code, const int64_t *indptr, int64_t texts,
                           const int32_t *first, const int64_t *slots, int64_t slot_count,
                           const double *weight, const double *emission, double *score,
                           int64_t *last, uint8_t *back, uint8_t *head) {
    Lexicon of = {first, slots, slot_count - 1, weight, emission};
    for (int64_t text = 0; text < texts; text++) {
        int64_t at = indptr[text], stop = indptr[text + 1];
        while (at < stop) {
            int32_t point = code[at];
            if (point < LOW || point > HIGH) {
                head[at++] = is_rare(point) ? HEAD : NO_HAN;
                continue;
            }
            int64_t end = at + 1;
            while (end < stop && LOW <= code[end] && code[end] <= HIGH) end++;
            cut_run(&of, code, at, end, score, last, back, head);
            at = end;
        }
    }
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

EXPORT void text_rehash(const int64_t *old, int64_t old_size, int64_t *table, int64_t size) {
    rehash(old, old_size, table, size);
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

/* ------------------------------------------------------------------------ the dictionary as a trie */

#define LONGEST_WORD 64
#define NODES (1 << NODE_BITS)
#define UNREADABLE (-2)

typedef struct {
    int64_t *slots, *frequency;
    int32_t *first;
    int16_t *depth;
    int64_t mask, nodes, total;
} Trie;

/* the node of a word, made where it is new; nodes are numbered as they appear, 0 is none */
static int64_t node_of(Trie *of, const int32_t *word, int64_t length) {
    int64_t node = 0;
    for (int64_t k = 0; k < length; k++) {
        int64_t character = word[k] - LOW, found;
        if (k == 0) {
            found = of->first[character];
            if (!found) of->first[character] = (int32_t)(found = ++of->nodes);
        } else {
            int64_t key = node << CHARACTER_BITS | character;
            int64_t at = (key * SPREAD >> CHARACTER_BITS) & of->mask;
            while (of->slots[at] && of->slots[at] >> NODE_BITS != key) at = (at + 1) & of->mask;
            found = of->slots[at] & (NODES - 1);
            if (!of->slots[at]) of->slots[at] = key << NODE_BITS | (found = ++of->nodes);
        }
        of->depth[found] = (int16_t)(k + 1);
        node = found;
    }
    return node;
}

/* one character of UTF-8 from `*at` on, or -1 */
static int32_t character_at(const uint8_t *text, int64_t stop, int64_t *at) {
    uint8_t lead = text[*at];
    int more = lead < 0x80 ? 0 : lead < 0xC0 ? -1 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    if (more < 0 || *at + more >= stop) return -1;
    int32_t point = more == 0 ? lead : lead & (0x3F >> more);
    for (int k = 1; k <= more; k++) point = point << 6 | (text[*at + k] & 0x3F);
    *at += more + 1;
    return point;
}

/* read "word frequency" from a line, as jieba does; false where it does not begin so. Of a word
   that is not all Han the Han that it begins with are nodes, and no word. */
static bool read_line(Trie *of, const uint8_t *text, int64_t at, int64_t stop) {
    int32_t word[LONGEST_WORD];
    int64_t length = 0, han = 0, frequency = 0;
    while (at < stop && text[at] != ' ') {
        int32_t point = character_at(text, stop, &at);
        if (point < 0 || length == LONGEST_WORD) return false;
        if (han == length && LOW <= point && point <= HIGH) han++;
        word[length++] = point;
    }
    if (!length || ++at >= stop || text[at] < '0' || text[at] > '9') return false;
    for (; at < stop && '0' <= text[at] && text[at] <= '9'; at++)
        frequency = 10 * frequency + text[at] - '0';
    of->total += frequency;
    if (of->nodes + han >= NODES) return false;
    int64_t node = node_of(of, word, han);
    if (han == length) of->frequency[node] = frequency;
    return true;
}

/* number[node]: by length, then as they appeared; 0 stays 0 */
static int32_t *numbered(Arena *arena, const Trie *of) {
    int64_t after[LONGEST_WORD + 2] = {0};
    int32_t *number = ZEROS(arena, of->nodes + 1, int32_t);
    for (int64_t node = 1; node <= of->nodes; node++) after[of->depth[node] + 1]++;
    for (int depth = 1; depth <= LONGEST_WORD + 1; depth++) after[depth] += after[depth - 1];
    for (int64_t node = 1; node <= of->nodes; node++)
        number[node] = (int32_t)++after[of->depth[node]];
    return number;
}

/* a hash table at most half full, of the final numbers; see `cutting.child` */
static void rehashed(Arena *arena, const Trie *of, const int32_t *number, Table *slots) {
    int64_t entries = 0, size = 2;
    for (int64_t at = 0; at <= of->mask; at++) entries += of->slots[at] != 0;
    while (size < 2 * entries) size *= 2;
    slots->row = calloc((size_t)size, sizeof(int64_t));
    if (!slots->row) longjmp(arena->failed, 1);
    slots->count = slots->room = size;
    int64_t *slot = (int64_t *)slots->row;
    for (int64_t old = 0; old <= of->mask; old++) {
        if (!of->slots[old]) continue;
        int64_t key = of->slots[old] >> NODE_BITS, character = key & ((1 << CHARACTER_BITS) - 1);
        key = (int64_t)number[key >> CHARACTER_BITS] << CHARACTER_BITS | character;
        int64_t at = (key * SPREAD >> CHARACTER_BITS) & (size - 1);
        while (slot[at]) at = (at + 1) & (size - 1);
        slot[at] = key << NODE_BITS | number[of->slots[old] & (NODES - 1)];
    }
}

/* The trie of a dictionary; `weight` has room for NODES. Returns how many nodes there are, or
   UNREADABLE. */
EXPORT int64_t text_trie(const uint8_t *text, int64_t size, int32_t *first, double *weight,
                         Table *slots) {
    ARENA(arena, slots);
    Trie of = {ZEROS(&arena, 2 * NODES, int64_t), ZEROS(&arena, NODES, int64_t),
               ZEROS(&arena, CHARACTERS, int32_t), ZEROS(&arena, NODES, int16_t),
               2 * NODES - 1, 0, 0};
    bool is_read = true;
    for (int64_t at = 0, stop; is_read && at < size; at = stop + 1) {
        const uint8_t *end = memchr(text + at, '\n', (size_t)(size - at));
        stop = end ? end - text : size;
        is_read = read_line(&of, text, at, stop);
    }
    int64_t nodes = of.nodes;
    if (is_read) {
        int32_t *number = numbered(&arena, &of);
        double total = log((double)of.total);
        weight[0] = log(1.0) - total;
        for (int64_t node = 1; node <= nodes; node++)
            weight[number[node]] =
                of.frequency[node] ? log((double)of.frequency[node]) - total : 1.0;
        for (int64_t character = 0; character < CHARACTERS; character++)
            first[character] = number[of.first[character]];
        rehashed(&arena, &of, number, slots);
    }
    arena.result = NULL;
    arena_end(&arena);
    return is_read ? nodes : UNREADABLE;
}
