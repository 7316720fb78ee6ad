#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>

/* A question for one TCP socket, as the kernel reads it (sock_diag(7)). */
struct RemindavSocketQuestion {
    struct nlmsghdr header;
    struct inet_diag_req_v2 request;
};

/* The beginning of the answer: a socket, or an error. */
struct RemindavSocketAnswer {
    struct nlmsghdr header;
    union {
        struct inet_diag_msg socket;
        struct nlmsgerr error;
    };
};

/* The process that connected to a Unix socket (unix(7), SO_PEERCRED); glibc declares it only with _GNU_SOURCE. */
struct RemindavSocketUser {
    __s32 process;
    __u32 user;
    __u32 group;
};
