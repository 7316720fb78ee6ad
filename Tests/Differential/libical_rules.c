/* The occurrences of many rules by libical, for comparison (run.py).
 *
 *   libical_rules [PATIENCE] < cases
 *
 * Input and output as in RuleExpander/main.swift; in addition X stands for a crash. libical has no bound of its own
 * that could be relied on, and some rules end it, so it works in a child: one that has worked MICROSECONDS on a rule
 * ends itself, the parent prints what it had found, and a new child goes on with the next line.
 *
 *   cc -O2 -o libical_rules libical_rules.c $(pkg-config --cflags --libs libical)
 */
#define _GNU_SOURCE
#include <libical/ical.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MICROSECONDS = 1500, LINE = 65536, MAXIMUM_LIMIT = 100, MAXIMUM_LINES = 1000000, GAVE_UP = 99 };

/* What parent and child both see. */
static struct shared {
    int line;
    int count;
    struct icaltimetype found[MAXIMUM_LIMIT];
} *shared;

static struct timespec deadline;
/* How many times as long as MICROSECONDS a rule may take. */
static int patience = 1;

/* The kernel's timers of processor time are as coarse as its ticks; a timer of real time that looks at the clock is not. */
static void on_alarm(int number)
{
    (void)number;
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    if (now.tv_sec > deadline.tv_sec || (now.tv_sec == deadline.tv_sec && now.tv_nsec >= deadline.tv_nsec))
        _exit(GAVE_UP);
}

static void set_alarm(int microseconds)
{
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &deadline);
    deadline.tv_nsec += microseconds * 1000L;
    if (deadline.tv_nsec >= 1000000000L) { deadline.tv_sec += 1; deadline.tv_nsec -= 1000000000L; }
    struct itimerval timer = {{0, microseconds / 4}, {0, microseconds}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

static char expand(char *line)
{
    char *rule = strchr(line, '|');
    char *limit_text = rule ? strchr(rule + 1, '|') : NULL;
    char *year_text = limit_text ? strchr(limit_text + 1, '|') : NULL;
    if (!year_text) return 'E';
    *rule++ = 0;
    *limit_text++ = 0;
    *year_text++ = 0;
    int limit = atoi(limit_text);
    int last_year = atoi(year_text);
    if (limit > MAXIMUM_LIMIT) limit = MAXIMUM_LIMIT;
    char *zone = strchr(line, ' ');
    if (zone) *zone++ = 0;
    struct icaltimetype start = icaltime_from_string(line);
    if (icaltime_is_null_time(start)) return 'E';
    if (zone) start.zone = icaltimezone_get_builtin_timezone(zone);
    icalerrno = ICAL_NO_ERROR;
    struct icalrecurrencetype recurrence = icalrecurrencetype_from_string(rule);
    if (recurrence.freq == ICAL_NO_RECURRENCE || icalerrno != ICAL_NO_ERROR) return 'E';
    set_alarm(MICROSECONDS * patience);
    icalrecur_iterator *iterator = icalrecur_iterator_new(recurrence, start);
    char mark = iterator ? '.' : 'E';
    while (iterator) {
        struct icaltimetype next = icalrecur_iterator_next(iterator);
        if (icaltime_is_null_time(next) || next.year > last_year) break;
        if (shared->count == limit) { mark = '+'; break; }
        shared->found[shared->count] = next;
        shared->count += 1;
    }
    set_alarm(0);
    if (iterator) icalrecur_iterator_free(iterator);
    if (recurrence.rscale) free(recurrence.rscale);
    return mark;
}

static void show(char mark)
{
    putchar(mark);
    for (int i = 0; i < shared->count; i++) {
        struct icaltimetype t = shared->found[i];
        if (t.is_date)
            printf(" %04d%02d%02d", t.year, t.month, t.day);
        else
            printf(" %04d%02d%02dT%02d%02d%02d", t.year, t.month, t.day, t.hour, t.minute, t.second);
    }
    putchar('\n');
    fflush(stdout);
}

static void work(char **lines, int lines_count)
{
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    icalerror_set_errors_are_fatal(0);
    signal(SIGALRM, on_alarm);
    for (; shared->line < lines_count; shared->line += 1) {
        shared->count = 0;
        char mark = expand(lines[shared->line]);
        show(mark);
    }
    _exit(0);
}

/* Zones are read before the first child, which would read them again and again. */
static void load_zone(char *line)
{
    char *zone = strchr(line, ' ');
    char *end = zone ? strchr(zone, '|') : NULL;
    if (!end) return;
    *end = 0;
    struct icaltimetype time = icaltime_from_string("20000101T000000");
    icaltimezone_get_utc_offset(icaltimezone_get_builtin_timezone(zone + 1), &time, NULL);
}

int main(int argc, char **argv)
{
    if (argc > 1) patience = atoi(argv[1]);
    static char buffer[LINE];
    char **lines = calloc(MAXIMUM_LINES, sizeof *lines);
    int lines_count = 0;
    while (lines_count < MAXIMUM_LINES && fgets(buffer, sizeof buffer, stdin)) {
        buffer[strcspn(buffer, "\r\n")] = 0;
        lines[lines_count++] = strdup(buffer);
        load_zone(buffer);
    }
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!lines || shared == MAP_FAILED) return 1;
    while (shared->line < lines_count) {
        fflush(stdout);
        pid_t child = fork();
        if (child < 0) return 1;
        if (child == 0) work(lines, lines_count);
        int status = 0;
        if (waitpid(child, &status, 0) != child) return 1;
        bool gave_up = WIFEXITED(status) && WEXITSTATUS(status) == GAVE_UP;
        if (!gave_up && !WIFSIGNALED(status)) return WEXITSTATUS(status);
        show(gave_up ? 'T' : 'X');
        shared->line += 1;
    }
    return 0;
}
