/* System calls that Swift's Glibc module leaves out or has as macros: signals, threads, timers, inotify, netlink, pidfd. */
#include <malloc.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/* From now on the first SIGINT or SIGTERM calls this; the second kills, as ever. What was passed over when the program
   began, as a shell's background has it, stays so. ChildProcesses that end are told of, whatever the program was started with.
   A source of libdispatch would do as well, and costs a thread that wakes up each second from then on. Nothing is kept
   here: of a variable there would be one for each file of Swift that this is inlined into. */
static inline int remindav_listen_for_end(void (*hear)(int)) {
    const int numbers[] = {SIGINT, SIGTERM};
    struct sigaction hearing, before;
    memset(&hearing, 0, sizeof hearing);
    hearing.sa_handler = SIG_DFL;
    sigemptyset(&hearing.sa_mask);
    if (sigaction(SIGCHLD, &hearing, 0) != 0) return -1;
    hearing.sa_handler = hear;
    hearing.sa_flags = SA_RESETHAND | SA_RESTART;
    for (int place = 0; place < 2; place++) {
        if (sigaction(numbers[place], 0, &before) != 0) return -1;
        if (before.sa_handler != SIG_IGN && sigaction(numbers[place], &hearing, 0) != 0) return -1;
    }
    return 0;
}

/* No core dump of this process, and no other process of this user that reads its memory. A program that it starts is
   not affected. */
static inline int remindav_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/* The name of the calling thread in lists of threads. */
static inline void remindav_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

/* POSIX.1-2024; the C library declares it only with _GNU_SOURCE, which Swift does not define. */
extern int pipe2(int ends[_Nonnull 2], int flags);
static inline int remindav_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

/* On the clock that people set; or on one that nobody sets, and that goes on while the machine sleeps. */
static inline int remindav_new_timer(int follows_clock) {
    return timerfd_create(follows_clock ? CLOCK_REALTIME : CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
}

/* At a moment of the timer's clock; 0 and 0 for never. One that follows the clock also ends when that is set. */
static inline int remindav_set_timer(int timer, int follows_clock, int64_t seconds, int64_t nanoseconds) {
    struct itimerspec time = {{0, 0}, {seconds, nanoseconds}};
    return timerfd_settime(timer, TFD_TIMER_ABSTIME | (follows_clock ? TFD_TIMER_CANCEL_ON_SET : 0), &time, 0);
}

static inline int64_t remindav_uptime_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_BOOTTIME, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static inline int remindav_new_watch(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

/* Names that come and go in a folder, and that it goes itself; and, if wanted, what is written into its files, and who may
   read them. What is watched already by another name stays watched so. */
static inline int remindav_watch_folder(int watch, const char *path, int with_contents) {
    const uint32_t contents = IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB;
    return inotify_add_watch(
        watch, path,
        (with_contents ? contents : 0) | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_MOVE_SELF
            | IN_DELETE_SELF | IN_ONLYDIR | IN_MASK_ADD);
}

static inline void remindav_forget_folder(int watch, int folder) { inotify_rm_watch(watch, folder); }

/* The folder and the name of the event at a place of what was read, and where the next begins; 0 at the end. The folder
   is -1 when there were more events than are kept; the name is none when the folder itself went away. */
static inline size_t remindav_next_event(
    const unsigned char *bytes, size_t count, size_t place, int *folder, const char **name) {
    struct inotify_event event;
    if (count < sizeof event || place > count - sizeof event) return 0;
    memcpy(&event, bytes + place, sizeof event);
    if (event.len > count - sizeof event - place) return 0;
    *folder = event.mask & IN_Q_OVERFLOW ? -1 : event.wd;
    *name = event.len ? (const char *)bytes + place + sizeof event : "";
    if (event.mask & (IN_IGNORED | IN_UNMOUNT | IN_MOVE_SELF | IN_DELETE_SELF)) *name = 0;
    return place + sizeof event + event.len;
}

/* Tells of addresses and routes that come and go. */
static inline int remindav_new_network_watch(void) {
    int socket_ = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (socket_ < 0) return -1;
    struct sockaddr_nl address;
    memset(&address, 0, sizeof address);
    address.nl_family = AF_NETLINK;
    address.nl_groups = RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE;
    if (bind(socket_, (struct sockaddr *)&address, sizeof address) == 0) return socket_;
    close(socket_);
    return -1;
}

/* A descriptor that can be read when a child has ended. */
static inline int remindav_open_process(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }
/* Makes the C library return blocks of at least this many bytes to the system when they are released. */
static inline int remindav_return_blocks(int bytes) { return mallopt(M_MMAP_THRESHOLD, bytes); }

/* The commit of the sources, which docs/package.sh defines. */
#ifndef REMINDAV_COMMIT
#define REMINDAV_COMMIT ""
#endif
static inline const char *remindav_commit(void) { return REMINDAV_COMMIT; }
