/* What libical does with a text.

     libical_text parse|values|serialise|rewrite FILE
     libical_text format FILE        the file, read and written by libical, on standard output

   `values` is parse and every value in its type; libical decodes them while it parses. `rewrite` is parse and serialise. */
#include "measure.h"
#include <libical/ical.h>

typedef struct {
    char *bytes;
    size_t size;
    icalcomponent *root;
    char *text;
    long long components, todos, moments, integers, durations, rules, written;
    long long text_bytes;
} state;

static void count_components(state *s, icalcomponent *component)
{
    s->components++;
    if (icalcomponent_isa(component) == ICAL_VTODO_COMPONENT)
        s->todos++;
    for (icalcomponent *inner = icalcomponent_get_first_component(component, ICAL_ANY_COMPONENT); inner;
         inner = icalcomponent_get_next_component(component, ICAL_ANY_COMPONENT))
        count_components(s, inner);
}

static long long moment_number(struct icaltimetype t)
{
    return t.year + t.month * 100 + t.day + t.hour + t.minute + t.second + (t.is_date ? 7 : 0);
}

static void add_value(state *s, icalproperty *property, const icalvalue *value)
{
    switch (icalvalue_isa(value)) {
    case ICAL_DATE_VALUE:
    case ICAL_DATETIME_VALUE:
        s->moments += moment_number(icalvalue_get_datetime(value));
        break;
    case ICAL_DATETIMEPERIOD_VALUE:
        s->moments += moment_number(icalvalue_get_datetimeperiod(value).time);
        break;
    case ICAL_INTEGER_VALUE:
        s->integers += icalvalue_get_integer(value);
        break;
    case ICAL_DURATION_VALUE:
        s->durations += icaldurationtype_as_int(icalvalue_get_duration(value));
        break;
    case ICAL_TRIGGER_VALUE: {
        struct icaltriggertype trigger = icalvalue_get_trigger(value);
        if (icaltime_is_null_time(trigger.time))
            s->durations += icaldurationtype_as_int(trigger.duration);
        else
            s->moments += moment_number(trigger.time);
        break;
    }
    case ICAL_RECUR_VALUE: {
        struct icalrecurrencetype rule = icalvalue_get_recur(value);
        s->rules += rule.freq * 10 + rule.interval;
        break;
    }
    case ICAL_TEXT_VALUE: {
        const char *text = icalvalue_get_text(value);
        icalproperty_kind kind = icalproperty_isa(property);
        if (kind == ICAL_SUMMARY_PROPERTY || kind == ICAL_DESCRIPTION_PROPERTY || kind == ICAL_LOCATION_PROPERTY)
            s->text_bytes += (long long)strlen(text);
        break;
    }
    default:
        break;
    }
}

static void add_values(state *s, icalcomponent *component)
{
    for (icalproperty *property = icalcomponent_get_first_property(component, ICAL_ANY_PROPERTY); property;
         property = icalcomponent_get_next_property(component, ICAL_ANY_PROPERTY)) {
        const icalvalue *value = icalproperty_get_value(property);
        if (value && icalproperty_isa(property) != ICAL_X_PROPERTY)
            add_value(s, property, value);
    }
    for (icalcomponent *inner = icalcomponent_get_first_component(component, ICAL_ANY_COMPONENT); inner;
         inner = icalcomponent_get_next_component(component, ICAL_ANY_COMPONENT))
        add_values(s, inner);
}

static void parse(void *pointer)
{
    state *s = pointer;
    s->root = icalparser_parse_string(s->bytes);
}

static void values(void *pointer)
{
    state *s = pointer;
    parse(s);
    s->moments = s->integers = s->durations = s->rules = s->text_bytes = 0;
    add_values(s, s->root);
}

static void serialise(void *pointer)
{
    state *s = pointer;
    s->text = icalcomponent_as_ical_string_r(s->root);
}

static void rewrite(void *pointer)
{
    parse(pointer);
    serialise(pointer);
}

static void clean_text(void *pointer)
{
    state *s = pointer;
    s->written = (long long)strlen(s->text);
    free(s->text);
}

static void clean(void *pointer)
{
    state *s = pointer;
    s->components = s->todos = 0;
    count_components(s, s->root);
    icalcomponent_free(s->root);
    if (s->text)
        clean_text(s);
    s->text = NULL;
}

int main(int count, char **arguments)
{
    if (count != 3)
        return fprintf(stderr, "usage: libical_text parse|values|serialise|rewrite|format FILE\n"), 64;
    const char *task = arguments[1];
    state s = {0};
    s.bytes = contents(arguments[2], &s.size);
    if (!strcmp(task, "format")) {
        rewrite(&s);
        return fwrite(s.text, 1, strlen(s.text), stdout) ? 0 : 1;
    }
    if (!strcmp(task, "serialise")) {
        parse(&s);
        measure(serialise, clean_text, &s);
    } else {
        measure(!strcmp(task, "values") ? values : !strcmp(task, "rewrite") ? rewrite : parse, clean, &s);
    }
    finding found[] = {{"components", s.components}, {"todos", s.todos},   {"moments", s.moments},
                       {"integers", s.integers},     {"durations", s.durations}, {"rules", s.rules},
                       {"text", s.text_bytes},       {"written", s.written}};
    report(found, 8);
    return 0;
}
