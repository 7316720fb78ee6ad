/* The least that a reader of iCalendar must do: find the line ends, see which lines go on, copy the text without folds.

     floor FILE */
#include "measure.h"

typedef struct {
    const char *bytes;
    size_t size;
    char *out;
    long long lines, unfolded;
} state;

static void unfold(void *pointer)
{
    state *s = pointer;
    const char *at = s->bytes, *end = s->bytes + s->size;
    char *out = s->out;
    long long lines = 0;
    while (at < end) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        const char *next = feed ? feed + 1 : end;
        const char *stop = feed ? feed : end;
        if (stop > at && stop[-1] == '\r')
            stop--;
        if (*at == ' ' || *at == '\t')
            at++;
        else
            lines++;
        memcpy(out, at, (size_t)(stop - at));
        out += stop - at;
        at = next;
    }
    s->lines = lines;
    s->unfolded = out - s->out;
}

int main(int count, char **arguments)
{
    if (count != 2)
        return fprintf(stderr, "usage: floor FILE\n"), 64;
    state s = {0};
    s.bytes = contents(arguments[1], &s.size);
    s.out = malloc(s.size + 1);
    measure(unfold, NULL, &s);
    finding found[] = {{"lines", s.lines}, {"unfolded", s.unfolded}};
    report(found, 2);
    return 0;
}
