#include <dlfcn.h>
#include <stdint.h>
#include <systemd/sd-bus.h>

// sd-bus of libsystemd, loaded by who first speaks to a bus: docs/decisions/0027. The header says what each function
// looks like, so nothing here can differ from it. The last four are for whoever answers calls, as the tests' service does.

#define REMINDAV_BUS_FUNCTIONS(each)                                                                                   \
    each(bus_new) each(bus_set_address) each(bus_set_bus_client) each(bus_negotiate_fds) each(bus_start)               \
    each(bus_is_ready) each(bus_get_unique_name) each(bus_get_bus_id) each(bus_get_fd) each(bus_get_events)            \
    each(bus_get_timeout) each(bus_get_n_queued_write) each(bus_process) each(bus_send) each(bus_close)                \
    each(bus_unref) each(bus_message_new_method_call) each(bus_message_set_auto_start)                                 \
    each(bus_message_append_basic) each(bus_message_open_container) each(bus_message_close_container)                  \
    each(bus_message_get_type) each(bus_message_get_cookie) each(bus_message_get_reply_cookie)                         \
    each(bus_message_get_sender) each(bus_message_get_path) each(bus_message_get_interface)                            \
    each(bus_message_get_member) each(bus_message_get_error) each(bus_message_peek_type)                               \
    each(bus_message_read_basic) each(bus_message_enter_container) each(bus_message_exit_container)                    \
    each(bus_message_at_end) each(bus_message_skip) each(bus_message_unref)                                            \
    each(bus_message_new_signal) each(bus_message_new_method_return) each(bus_message_new_method_error)                \
    each(bus_message_set_destination)

struct RemindavBusLibrary {
#define REMINDAV_FIELD(name) __typeof__(sd_##name) *_Nonnull name;
    REMINDAV_BUS_FUNCTIONS(REMINDAV_FIELD)
#undef REMINDAV_FIELD
};

// Fills in all functions and returns 1; 0 when there is no such library, or it lacks one of them.
static inline int remindav_load_bus(const char *_Nonnull name, struct RemindavBusLibrary *_Nonnull library) {
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return 0;
#define REMINDAV_LOAD(name)                                                                                            \
    void *found_##name = dlsym(handle, "sd_" #name);                                                                   \
    if (!found_##name) {                                                                                               \
        dlclose(handle);                                                                                               \
        return 0;                                                                                                      \
    }                                                                                                                  \
    library->name = (__typeof__(sd_##name) *)found_##name;
    REMINDAV_BUS_FUNCTIONS(REMINDAV_LOAD)
#undef REMINDAV_LOAD
    return 1;
}

// POSIX.1-2024; the C library declares it only with _GNU_SOURCE, which Swift does not define.
extern int pipe2(int ends[_Nonnull 2], int flags);
