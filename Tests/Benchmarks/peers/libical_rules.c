/* What libical does with rules.

     libical_rules expand RULE COUNT START     the first COUNT occurrences; START as 20200101T090000
     libical_rules next COUNT RULE...          COUNT rules of those shapes, begun in 2010: the first occurrence of each after
                                               2026-01-01T00:00:00, by icalrecur_iterator_set_start

   Reading the rule counts. The sum tells whether two programs found the same. */
#include "measure.h"
#include <libical/ical.h>

typedef struct {
    char **shapes;
    int shape_count;
    long wanted;
    const char *start;
    long long found, sum;
} state;

static long long number(struct icaltimetype t)
{
    return ((((t.year * 12LL + t.month) * 31 + t.day) * 24 + t.hour) * 60 + t.minute) * 60 + t.second;
}

static void expand(void *pointer)
{
    state *s = pointer;
    s->found = s->sum = 0;
    struct icalrecurrencetype rule = icalrecurrencetype_from_string(s->shapes[0]);
    icalrecur_iterator *iterator = icalrecur_iterator_new(rule, icaltime_from_string(s->start));
    while (iterator && s->found < s->wanted) {
        struct icaltimetype next = icalrecur_iterator_next(iterator);
        if (icaltime_is_null_time(next))
            break;
        s->found++;
        s->sum += number(next);
    }
    icalrecur_iterator_free(iterator);
}

static void next(void *pointer)
{
    state *s = pointer;
    struct icaltimetype after = icaltime_from_string("20260101T000000");
    s->found = s->sum = 0;
    for (long i = 0; i < s->wanted; i++) {
        struct icalrecurrencetype rule = icalrecurrencetype_from_string(s->shapes[i % s->shape_count]);
        struct icaltimetype start = icaltime_null_time();
        start.year = 2010;
        start.month = 1 + (int)(i / 7 % 12);
        start.day = 1 + (int)(i / 3 % 28);
        start.hour = (int)(i % 24);
        start.minute = (int)(i % 60);
        icalrecur_iterator *iterator = icalrecur_iterator_new(rule, start);
        if (!iterator)
            continue;
        icalrecur_iterator_set_start(iterator, after);
        struct icaltimetype occurrence = icalrecur_iterator_next(iterator);
        while (!icaltime_is_null_time(occurrence) && icaltime_compare(occurrence, after) <= 0)
            occurrence = icalrecur_iterator_next(iterator);
        if (!icaltime_is_null_time(occurrence)) {
            s->found++;
            s->sum += number(occurrence);
        }
        icalrecur_iterator_free(iterator);
    }
}

int main(int count, char **arguments)
{
    state s = {0};
    if (count == 5 && !strcmp(arguments[1], "expand")) {
        s.shapes = arguments + 2;
        s.wanted = atol(arguments[3]);
        s.start = arguments[4];
        measure(expand, NULL, &s);
    } else if (count > 3 && !strcmp(arguments[1], "next")) {
        s.wanted = atol(arguments[2]);
        s.shapes = arguments + 3;
        s.shape_count = count - 3;
        measure(next, NULL, &s);
    } else {
        return fprintf(stderr, "usage: libical_rules expand RULE COUNT START | next COUNT RULE...\n"), 64;
    }
    finding found[] = {{"found", s.found}, {"sum", s.sum}};
    report(found, 2);
    return 0;
}
