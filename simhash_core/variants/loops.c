/* Groups of texts that hold one stretch: what tests/variants_judge.py does by plain loops. */
#include "../machine/loops.h"

/* both sides of every passage, by document, start and end; `reach` is the greatest end so far in a
   document, `other` the row of the other side, `partner` its document, and `first[d]` to
   `first[d + 1]` are the rows of document d */
typedef struct {
    const int64_t *start, *end, *reach, *other, *partner, *first;
    const double *share;
    int64_t documents;
} Sides;

/* SAME_STRETCH, MOST_STRETCHED, LEAST_SHARED and LEAST_WITNESSES */
typedef struct {
    double same, stretched, shared;
    int64_t witnesses;
} Bounds;

typedef struct {
    int64_t start, end;
} Stretch;

/* where a group can begin; its sides are `row[0]` to `row[rows - 1]`, ascending */
typedef struct {
    int64_t support, document, rank, rows;
    const int64_t *row;
    Stretch stretch;
} Leader;

/* a side that leads from a member to a text that is none, and how much of the stretch it holds */
typedef struct {
    int64_t document, held, row;
} Way;

/* where the stretch lies in a further text, how far passages reach beyond it, and the part of the
   words of the stretch a group began with that the way there keeps */
typedef struct {
    int64_t excess, document;
    Stretch place;
    double shared;
} Target;

typedef struct {
    const Sides *sides;
    Bounds bounds;
    int64_t length;               /* of the stretch that the group began with */
    int64_t *member, members;     /* documents in the order in which they joined */
    bool *inside;                 /* by document, as the next two */
    Stretch *place;
    double *shared;
    Way *way;                     /* of one member */
    Target *later;                /* texts that passages far beyond the stretch lead to */
    int64_t laters, *place_later; /* by document, from 1; 0 where it is not among them */
    bool *marked;                 /* by row; none between calls */
    int64_t *alike, *same, sames; /* rows of find_same */
} Group;

typedef struct {
    int64_t group;
    Stretch stretch;
} Member;

static int compare(int64_t a, int64_t b) { return (a > b) - (a < b); }

static int by_number(const void *a, const void *b) {
    return compare(*(const int64_t *)a, *(const int64_t *)b);
}

/* most texts first, then longest, then as they stand */
static int by_support(const void *a, const void *b) {
    const Leader *one = a, *two = b;
    int order = compare(two->support, one->support);
    if (!order)
        order = compare(one->stretch.start - one->stretch.end,
                        two->stretch.start - two->stretch.end);
    if (!order) order = compare(one->document, two->document);
    if (!order) order = compare(one->stretch.start, two->stretch.start);
    return order ? order : compare(one->rank, two->rank);
}

/* by text, the row that holds most of the stretch first */
static int by_text(const void *a, const void *b) {
    const Way *one = a, *two = b;
    int order = compare(one->document, two->document);
    if (!order) order = compare(two->held, one->held);
    return order ? order : compare(one->row, two->row);
}

static int by_excess(const void *a, const void *b) {
    const Target *one = a, *two = b;
    int order = compare(one->excess, two->excess);
    if (!order) order = compare(one->document, two->document);
    if (!order) order = compare(one->place.start, two->place.start);
    if (!order) order = compare(one->place.end, two->place.end);
    return order ? order : (one->shared > two->shared) - (one->shared < two->shared);
}

static int64_t overlap(const Sides *sides, int64_t row, Stretch stretch) {
    return least(sides->end[row], stretch.end) - most(sides->start[row], stretch.start);
}

/* how many texts the rows lead to that are not used; `stamp` holds the last `mark` of each text */
static int64_t count_partners(const Sides *sides, const int64_t *row, int64_t rows,
                              const bool *used, int64_t *stamp, int64_t mark) {
    int64_t count = 0;
    for (int64_t at = 0; at < rows; at++) {
        int64_t partner = sides->partner[row[at]];
        if ((used && used[row[at]]) || stamp[partner] == mark) continue;
        stamp[partner] = mark;
        count++;
    }
    return count;
}

/* the first row from `low` to `high` with at least a value; those ascend */
static int64_t find_least(const int64_t *value, int64_t low, int64_t high, int64_t wanted) {
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (value[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* the value that would stand at a place if they were sorted; they are moved about */
static int64_t find_ranked(int64_t *value, int64_t count, int64_t place) {
    int64_t low = 0, high = count - 1;
    while (low < high) {
        int64_t pivot = value[low + (high - low) / 2], i = low, j = high;
        while (i <= j) {
            while (value[i] < pivot) i++;
            while (value[j] > pivot) j--;
            if (i > j) break;
            int64_t moved = value[i];
            value[i++] = value[j];
            value[j--] = moved;
        }
        if (place > j && place < i) break;
        if (place <= j)
            high = j;
        else
            low = i;
    }
    return value[place];
}

/* ---------------------------------------------------------------------- where groups begin */

/* ranges of one document that are alike, with all the sides that have them */
typedef struct {
    Stretch range;
    int64_t first, count, label;
} Range;

static int by_count(const void *a, const void *b) {
    const Range *one = *(Range *const *)a, *two = *(Range *const *)b;
    int order = compare(two->count, one->count);
    if (!order)
        order = compare(one->range.start - one->range.end, two->range.start - two->range.end);
    return order ? order : compare(one->range.start, two->range.start);
}

/* give every range of a document the number of the stretch it belongs to; returns how many
   stretches there are. `order` and `chosen` have room for all ranges */
static int64_t label_ranges(Range *range, int64_t ranges, double same, Range **order,
                            Range **chosen) {
    int64_t labels = 0;
    for (int64_t r = 0; r < ranges; r++) order[r] = &range[r];
    qsort(order, (size_t)ranges, sizeof(Range *), by_count);
    for (int64_t r = 0; r < ranges; r++) {
        Stretch one = order[r]->range;
        double best = -1.0;
        for (int64_t label = 0; label < labels; label++) {
            Stretch two = chosen[label]->range;
            double longer = (double)most(two.end - two.start, one.end - one.start);
            double share = (double)(least(two.end, one.end) - most(two.start, one.start));
            if (share >= same * longer && share / longer > best) {
                best = share / longer;
                order[r]->label = label;
            }
        }
        if (best < 0.0) {
            order[r]->label = labels;
            chosen[labels++] = order[r];
        }
    }
    return labels;
}

/* the stretches of one document that enough texts share; `row` receives the rows of all of them,
   `end` has room for as many. Returns how many leaders there are now */
static int64_t add_leaders(const Sides *sides, const Bounds *bounds, int64_t document,
                           Range *range, Range **order, Range **chosen, int64_t *row,
                           int64_t *end, int64_t *stamp, int64_t *mark, Leader *leader,
                           int64_t leaders) {
    int64_t ranges = 0, low = sides->first[document], high = sides->first[document + 1];
    for (int64_t at = low; at < high; at++) {
        if (at == low || sides->start[at] != sides->start[at - 1] ||
            sides->end[at] != sides->end[at - 1])
            range[ranges++] = (Range){{sides->start[at], sides->end[at]}, at, 0, 0};
        range[ranges - 1].count++;
    }
    int64_t labels = label_ranges(range, ranges, bounds->same, order, chosen);
    for (int64_t label = 0; label < labels; label++) {
        int64_t rows = 0;
        for (int64_t r = 0; r < ranges; r++)
            for (int64_t k = 0; range[r].label == label && k < range[r].count; k++)
                row[rows++] = range[r].first + k;
        int64_t support = count_partners(sides, row, rows, NULL, stamp, ++*mark);
        if (support >= bounds->witnesses - 1) {
            for (int64_t at = 0; at < rows; at++) end[at] = sides->end[row[at]];
            int64_t middle = (rows - 1) / 2, begin = sides->start[row[middle]];
            Stretch stretch = {begin, most(find_ranked(end, rows, middle), begin + 1)};
            leader[leaders] = (Leader){support, document, leaders, rows, row, stretch};
            leaders++;
        }
        row += rows;
    }
    return leaders;
}

/* ---------------------------------------------------------------------- from text to text */

static void join(Group *group, int64_t document, Stretch place, double shared) {
    if (group->inside[document]) return;
    group->inside[document] = true;
    group->place[document] = place;
    group->shared[document] = shared;
    group->member[group->members++] = document;
}

/* where the part of a stretch that a side covers lies in its other text: in proportion, exact at
   the borders of a passage, an estimate inside it */
static Stretch place_in_other(const Sides *sides, int64_t row, Stretch stretch) {
    int64_t start = sides->start[row], end = sides->end[row], other = sides->other[row];
    double scale = (double)(sides->end[other] - sides->start[other]) / (double)(end - start);
    double before = (double)most(stretch.start - start, 0) * scale;
    double after = (double)most(end - stretch.end, 0) * scale;
    Stretch place = {sides->start[other] + (int64_t)before, sides->end[other] - (int64_t)after};
    place.end = most(place.end, place.start + 1);
    return place;
}

/* whether passages hold most of a stretch of `size` in a place of about the group's length */
static bool fits(const Group *group, int64_t held, int64_t size, Stretch place) {
    double length = (double)(place.end - place.start), begun = (double)group->length;
    return (double)held >= group->bounds.same * (double)size &&
           length >= group->bounds.same * begun && length <= group->bounds.stretched * begun;
}

/* carry a member's stretch along the ways to one text, the one that holds most of it first; all
   together hold enough of it, `held` */
static void carry_along(Group *group, int64_t from, const Way *way, int64_t ways, int64_t held) {
    const Sides *sides = group->sides;
    Stretch stretch = group->place[from], together = {INT64_MAX, 0};
    int64_t size = stretch.end - stretch.start, row = way[0].row;
    int64_t whole = 0, held_alone = way[0].held;
    double words = 0.0;
    for (int64_t at = 0; at < ways; at++) {
        Stretch part = place_in_other(sides, way[at].row, stretch);
        together.start = least(together.start, part.start);
        together.end = most(together.end, part.end);
        whole += sides->end[way[at].row] - sides->start[way[at].row];
        words += (double)way[at].held * sides->share[way[at].row];
    }
    /* a text may hold it in pieces, in order and near; else the row that holds most of it counts */
    Stretch alone = place_in_other(sides, row, stretch);
    bool in_pieces = fits(group, held, size, together);
    if (!in_pieces && !fits(group, held_alone, size, alone)) return;
    double shared = in_pieces ? words / (double)held : sides->share[row];
    shared *= group->shared[from];
    if (shared < group->bounds.shared) return;
    if (!in_pieces) {
        held = held_alone;
        whole = sides->end[row] - sides->start[row];
        together = alone;
    }
    if ((double)held >= group->bounds.same * (double)whole) {
        join(group, way[0].document, together, shared);
        return;
    }
    Target target = {whole - held, way[0].document, together, shared};
    int64_t *place = &group->place_later[target.document];
    if (!*place) {
        *place = ++group->laters;
        group->later[*place - 1] = target;
    } else if (by_excess(&target, &group->later[*place - 1]) < 0) {
        group->later[*place - 1] = target;
    }
}

/* carry a member's stretch to every text that its passages lead to */
static void carry_from(Group *group, int64_t from) {
    const Sides *sides = group->sides;
    Stretch stretch = group->place[from];
    int64_t ways = 0, last = sides->first[from + 1];
    int64_t row = find_least(sides->reach, sides->first[from], last, stretch.start + 1);
    for (; row < last && sides->start[row] < stretch.end; row++)
        if (sides->end[row] > stretch.start && !group->inside[sides->partner[row]])
            group->way[ways++] = (Way){sides->partner[row], overlap(sides, row, stretch), row};
    qsort(group->way, (size_t)ways, sizeof(Way), by_text);
    for (int64_t at = 0, next; at < ways; at = next) {
        int64_t held = 0;
        for (next = at; next < ways && group->way[next].document == group->way[at].document;)
            held += group->way[next++].held;
        if ((double)held >= group->bounds.same * (double)(stretch.end - stretch.start))
            carry_along(group, from, group->way + at, next - at, held);
    }
}

/* carry a stretch to all texts: by passages of about its size, and when there are none left, by
   those that reach far beyond it, in which the place is an estimate */
static void carry_stretch(Group *group, const Leader *leader) {
    group->members = group->laters = 0;
    group->length = leader->stretch.end - leader->stretch.start;
    join(group, leader->document, leader->stretch, 1.0);
    for (int64_t done = 0; done < group->members;) {
        carry_from(group, group->member[done++]);
        if (done < group->members) continue;
        qsort(group->later, (size_t)group->laters, sizeof(Target), by_excess);
        for (int64_t at = 0; at < group->laters; at++) {
            Target target = group->later[at];
            join(group, target.document, target.place, target.shared);
            group->place_later[target.document] = 0;
        }
        group->laters = 0;
    }
    qsort(group->member, (size_t)group->members, sizeof(int64_t), by_number);
}

/* ---------------------------------------------------------------------- borders */

/* `same`: the rows of passages about as long as the stretches of both their documents. Such a side
   begins within half the length of the stretch before it, or a third behind it */
static void find_same(Group *group) {
    const Sides *sides = group->sides;
    int64_t found = 0;
    for (int64_t at = 0; at < group->members; at++) {
        int64_t document = group->member[at], last = sides->first[document + 1];
        Stretch stretch = group->place[document];
        int64_t length = stretch.end - stretch.start;
        int64_t row = find_least(sides->start, sides->first[document], last,
                                 stretch.start - length / 2);
        for (; row < last && sides->start[row] <= stretch.start + length / 3; row++) {
            double longer = (double)most(sides->end[row] - sides->start[row], length);
            if ((double)overlap(sides, row, stretch) < group->bounds.same * longer) continue;
            group->alike[found++] = row;
            group->marked[row] = true;
        }
    }
    group->sames = 0;
    for (int64_t at = 0; at < found; at++)
        if (group->marked[sides->other[group->alike[at]]])
            group->same[group->sames++] = group->alike[at];
    for (int64_t at = 0; at < found; at++) group->marked[group->alike[at]] = false;
}

/* give every text the stretch that at least two others of its group share with it; two, or a tenth
   where there are many: the borders of one passage can lie anywhere */
static void settle_members(Group *group) {
    const Sides *sides = group->sides;
    find_same(group);
    for (int64_t at = 0, next; at < group->sames; at = next) {
        int64_t document = sides->partner[sides->other[group->same[at]]];
        for (next = at; next < group->sames &&
                        sides->partner[sides->other[group->same[next]]] == document;
             next++)
            group->alike[next] = sides->end[group->same[next]];
        int64_t rank = most(2, (next - at) / 10);
        if (next - at < rank) continue;
        int64_t end = find_ranked(group->alike + at, next - at, next - at - rank);
        group->place[document] = (Stretch){sides->start[group->same[at + rank - 1]], end};
    }
}

/* `found`: group, document, start and end of every member of the groups that enough texts share */
EXPORT int64_t variants_collect(const Sides *sides, const Bounds *bounds, Table *found) {
    ARENA(arena, found)
    int64_t n = sides->documents, rows = sides->first[n], leaders = 0, mark = 0, groups = 0;
    int64_t widest = 0;
    for (int64_t document = 0; document < n; document++)
        widest = most(widest, sides->first[document + 1] - sides->first[document]);
    Leader *leader = NEW(&arena, rows, Leader);
    int64_t *row = NEW(&arena, rows, int64_t), *stamp = ZEROS(&arena, n, int64_t);
    Group group = {.sides = sides, .bounds = *bounds};
    group.alike = NEW(&arena, rows, int64_t);
    group.same = NEW(&arena, rows, int64_t);
    Mark before = marked(&arena);
    Range *range = NEW(&arena, widest, Range);
    Range **order = NEW(&arena, widest, Range *), **chosen = NEW(&arena, widest, Range *);
    for (int64_t document = 0; document < n; document++)
        leaders = add_leaders(sides, bounds, document, range, order, chosen,
                              row + sides->first[document], group.alike, stamp, &mark, leader,
                              leaders);
    release(&arena, before);
    qsort(leader, (size_t)leaders, sizeof(Leader), by_support);

    bool *used = ZEROS(&arena, rows, bool);
    group.marked = ZEROS(&arena, rows, bool);
    group.inside = ZEROS(&arena, n, bool);
    group.member = NEW(&arena, n, int64_t);
    group.place = NEW(&arena, n, Stretch);
    group.shared = NEW(&arena, n, double);
    group.way = NEW(&arena, widest, Way);
    group.later = NEW(&arena, n, Target);
    group.place_later = ZEROS(&arena, n, int64_t);
    for (const Leader *one = leader; one < leader + leaders; one++) {
        int64_t partners = count_partners(sides, one->row, one->rows, used, stamp, ++mark);
        if (partners < bounds->witnesses - 1) continue;
        carry_stretch(&group, one);
        settle_members(&group);
        for (int64_t at = 0; at < one->rows; at++) used[one->row[at]] = true;
        if (group.members >= bounds->witnesses) {
            find_same(&group);
            for (int64_t at = 0; at < group.sames; at++) used[group.same[at]] = true;
            for (int64_t at = 0; at < group.members; at++) {
                int64_t document = group.member[at], *member = next_row(&arena, found);
                member[0] = groups;
                member[1] = document;
                member[2] = group.place[document].start;
                member[3] = group.place[document].end;
            }
            groups++;
        }
        for (int64_t at = 0; at < group.members; at++) group.inside[group.member[at]] = false;
    }
    arena.result = NULL;
    arena_end(&arena);
    return groups;
}

/* `found`: a group, an earlier one, and how many stretches of the first lie in one of the other.
   `member` holds group, document, start and end, by group */
EXPORT int64_t variants_count_inside(const int64_t (*member)[4], int64_t members, int64_t documents,
                                     double inside, Table *found) {
    ARENA(arena, found)
    int64_t *first = ZEROS(&arena, documents + 1, int64_t), *last = NEW(&arena, documents, int64_t);
    int64_t *count = ZEROS(&arena, members, int64_t), *outer = NEW(&arena, members, int64_t);
    Member *earlier = NEW(&arena, members, Member); /* by document, then by group */
    for (int64_t at = 0; at < members; at++) first[member[at][1] + 1]++;
    for (int64_t document = 0; document < documents; document++) {
        first[document + 1] += first[document];
        last[document] = first[document];
    }
    for (int64_t at = 0; at < members;) {
        int64_t group = member[at][0], outers = 0;
        for (; at < members && member[at][0] == group; at++) {
            int64_t document = member[at][1];
            Stretch one = {member[at][2], member[at][3]};
            double enough = inside * (double)(one.end - one.start);
            for (int64_t k = first[document]; k < last[document]; k++) {
                Stretch two = earlier[k].stretch;
                int64_t shared = least(one.end, two.end) - most(one.start, two.start);
                if ((double)shared < enough) continue;
                if (!count[earlier[k].group]++) outer[outers++] = earlier[k].group;
            }
            earlier[last[document]++] = (Member){group, one};
        }
        for (int64_t k = 0; k < outers; k++) {
            int64_t *row = next_row(&arena, found);
            row[0] = group;
            row[1] = outer[k];
            row[2] = count[outer[k]];
            count[outer[k]] = 0;
        }
    }
    arena.result = NULL;
    arena_end(&arena);
    return 0;
}
