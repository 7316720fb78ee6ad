/* How every program of the benchmark measures itself, so that their figures can be compared: one pass unmeasured, then
   passes until 0.3 s of processor time are used, at least one; the median pass counts. Prints one line:

     cpu=SECONDS wall=SECONDS passes=N NAME=NUMBER...

   The numbers say what was found; programs that do the same work find the same. Included once, in the peer's file. */
#ifndef MEASURE_H
#define MEASURE_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MEASURE_PASSES = 200 };

typedef struct {
    const char *name;
    long long number;
} finding;

static double clock_seconds(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Runs `pass`, which fills in `found`; `clean`, which may be null, is not measured. */
static inline void measure(void (*pass)(void *), void (*clean)(void *), void *state)
{
    double cpu[MEASURE_PASSES], wall[MEASURE_PASSES], used = 0;
    int passes = 0;
    pass(state);
    if (clean)
        clean(state);
    while (passes < MEASURE_PASSES && (passes == 0 || used < 0.3)) {
        double w = clock_seconds(CLOCK_MONOTONIC), c = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
        pass(state);
        cpu[passes] = clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - c;
        wall[passes] = clock_seconds(CLOCK_MONOTONIC) - w;
        used += cpu[passes++];
        if (clean)
            clean(state);
    }
    qsort(cpu, (size_t)passes, sizeof *cpu, by_size);
    qsort(wall, (size_t)passes, sizeof *wall, by_size);
    printf("cpu=%.9f wall=%.9f passes=%d", cpu[passes / 2], wall[passes / 2], passes);
}

static inline void report(const finding *found, int count)
{
    for (int i = 0; i < count; i++)
        printf(" %s=%lld", found[i].name, found[i].number);
    printf("\n");
}

/* The whole file and a zero byte after it. */
static inline char *contents(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    if (!bytes || fread(bytes, 1, *size, file) != *size) {
        perror(path);
        exit(1);
    }
    bytes[*size] = 0;
    fclose(file);
    return bytes;
}
#endif
