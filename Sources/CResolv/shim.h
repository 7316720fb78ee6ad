#include <string.h>
#include <sys/types.h>
#include <netinet/in.h>
#include <arpa/nameser.h>
#include <resolv.h>

/* One question to the system's name servers; its functions are macros on some systems, which Swift cannot see.
   Returns the length of the answer, or -1. */
static inline int remindav_resolve(const char *name, int type, unsigned char *answer, int size, int seconds) {
    struct __res_state state;
    memset(&state, 0, sizeof state);
    if (res_ninit(&state) != 0) return -1;
    state.retrans = seconds;
    state.retry = 1;
    int length = res_nquery(&state, name, ns_c_in, type, answer, size);
    res_nclose(&state);
    return length;
}
