/* Runs a program from its start to its end and says what it used. A process counts the memory of the one it was forked
   from as its own, so the one that forks has to be small.

     launch OUT PROGRAM ARGUMENT...     the program's output goes into OUT */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(int count, char **arguments)
{
    if (count < 3)
        return fprintf(stderr, "usage: launch OUT PROGRAM ARGUMENT...\n"), 64;
    double started = seconds();
    pid_t child = fork();
    if (child == 0) {
        int out = open(arguments[1], O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (out < 0 || dup2(out, 1) < 0)
            _exit(126);
        execv(arguments[2], arguments + 2);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) < 0)
        return perror("launch"), 1;
    double wall = seconds() - started;
    double cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
                 + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
    printf("cpu=%.6f wall=%.6f memory=%ld\n", cpu, wall, usage.ru_maxrss * 1024);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
