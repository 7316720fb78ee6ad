#include <arpa/inet.h>
#include <dlfcn.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>

// libmicrohttpd is loaded by who first starts a server: docs/decisions/0028. The header says what each function looks
// like, so nothing here can differ from it.

#define REMINDAV_HTTP_FUNCTIONS(each)                                                                                  \
    each(start_daemon) each(quiesce_daemon) each(stop_daemon) each(get_daemon_info) each(get_connection_info)          \
    each(get_connection_values_n) each(suspend_connection) each(resume_connection) each(create_response_from_buffer)   \
    each(add_response_header) each(queue_response) each(destroy_response) each(create_response_from_callback)

struct RemindavMicroHTTPD {
#define REMINDAV_FIELD(name) __typeof__(MHD_##name) *_Nonnull name;
    REMINDAV_HTTP_FUNCTIONS(REMINDAV_FIELD)
#undef REMINDAV_FIELD
};
typedef const struct RemindavMicroHTTPD *_Nonnull RemindavHTTPLibrary;

// Fills in all functions and returns 1; 0 when there is no such library, or it lacks one of them.
static inline int remindav_load_http(const char *_Nonnull name, struct RemindavMicroHTTPD *_Nonnull library) {
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return 0;
#define REMINDAV_LOAD(name)                                                                                            \
    void *found_##name = dlsym(handle, "MHD_" #name);                                                                  \
    if (!found_##name) {                                                                                               \
        dlclose(handle);                                                                                               \
        return 0;                                                                                                      \
    }                                                                                                                  \
    library->name = (__typeof__(MHD_##name) *)found_##name;
    REMINDAV_HTTP_FUNCTIONS(REMINDAV_LOAD)
#undef REMINDAV_LOAD
    return 1;
}

// What Swift cannot call: functions with a variable number of arguments. Swift does the rest.

typedef void *(*RemindavTargetCallback)(void *context, const char *target, struct MHD_Connection *connection);

struct RemindavServerLimits {
    // The open socket to listen on; -1 to open the port.
    int listener;
    unsigned int connections;
    size_t connection_memory_bytes;
    unsigned int timeout_seconds;
};

// The text of a target stays as it was received: what %2F or %00 mean is decided in Swift.
static inline size_t remindav_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

// Starts a daemon on 127.0.0.1, or on a given socket; port 0 takes any free one. NULL: the port could not be opened (errno says why).
static inline struct MHD_Daemon *remindav_start_daemon(RemindavHTTPLibrary library, uint16_t port,
                                                       struct RemindavServerLimits limits,
                                                       MHD_AccessHandlerCallback access, RemindavTargetCallback target,
                                                       MHD_RequestCompletedCallback completed,
                                                       MHD_NotifyConnectionCallback connected, void *context) {
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    struct MHD_OptionItem place[2] = {{MHD_OPTION_SOCK_ADDR, 0, &address}, {MHD_OPTION_END, 0, NULL}};
    if (limits.listener >= 0) {
        place[0].option = MHD_OPTION_LISTEN_SOCKET;
        place[0].value = limits.listener;
    }
    return library->start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, port, NULL, NULL, access,
                            context,
                            MHD_OPTION_ARRAY, place,
                            MHD_OPTION_CONNECTION_LIMIT, limits.connections,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.connection_memory_bytes,
                            MHD_OPTION_CONNECTION_TIMEOUT, limits.timeout_seconds,
                            MHD_OPTION_STRICT_FOR_CLIENT, 1,
                            MHD_OPTION_UNESCAPE_CALLBACK, remindav_keep_escapes, NULL,
                            MHD_OPTION_URI_LOG_CALLBACK, target, context,
                            MHD_OPTION_NOTIFY_COMPLETED, completed, context,
                            MHD_OPTION_NOTIFY_CONNECTION, connected, context,
                            MHD_OPTION_END);
}

// The port that a daemon listens on; 0 when it has none.
static inline uint16_t remindav_daemon_port(RemindavHTTPLibrary library, struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = library->get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info == NULL ? 0 : info->port;
}

// The socket of a connection; -1 when it has none.
static inline int remindav_connection_socket(RemindavHTTPLibrary library, struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = library->get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : (int)info->connect_fd;
}
