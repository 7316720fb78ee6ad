/* A library for LD_PRELOAD: each thread ends DELAY microseconds later than it would.
 *
 * It delays the functions that free the data of a thread (the destructors of pthread_key_create). OpenSSL frees its
 * data in such a function. If the program exits during the delay, OpenSSL's exit handlers free the same data.
 *
 *   cc -shared -fPIC -o slow_threads.so slow_threads.c
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* Only the first keys are delayed. They are enough to show the abort of a program that ends with `exit`. */
enum { KEYS = 4 };

static void (*original[KEYS])(void *);
static int count;

static void wait_and_call(int index, void *data)
{
    const char *delay = getenv("DELAY");
    usleep(delay ? (useconds_t)atoi(delay) : 0);
    original[index](data);
}

static void call0(void *data) { wait_and_call(0, data); }
static void call1(void *data) { wait_and_call(1, data); }
static void call2(void *data) { wait_and_call(2, data); }
static void call3(void *data) { wait_and_call(3, data); }
static void (*const delayed[KEYS])(void *) = {call0, call1, call2, call3};

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    int (*create)(pthread_key_t *, void (*)(void *)) =
        (int (*)(pthread_key_t *, void (*)(void *)))dlsym(RTLD_NEXT, "pthread_key_create");
    if (destructor) {
        int index = __sync_fetch_and_add(&count, 1);
        if (index < KEYS) {
            original[index] = destructor;
            destructor = delayed[index];
        }
    }
    return create(key, destructor);
}
