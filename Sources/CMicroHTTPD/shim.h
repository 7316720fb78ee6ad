#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>

// What Swift cannot call: functions with a variable number of arguments. Swift does the rest.

typedef void *(*RemindavTargetCallback)(void *context, const char *target, struct MHD_Connection *connection);

struct RemindavServerLimits {
    unsigned int connections;
    unsigned int connections_per_address;
    size_t connection_memory_bytes;
    unsigned int timeout_seconds;
};

// The text of a target stays as it was received: what %2F or %00 mean is decided in Swift.
static inline size_t remindav_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

// Starts a daemon on 127.0.0.1; port 0 takes any free one. NULL: the port could not be opened (errno says why).
static inline struct MHD_Daemon *remindav_start_daemon(uint16_t port, struct RemindavServerLimits limits,
                                                       MHD_AccessHandlerCallback access, RemindavTargetCallback target,
                                                       MHD_RequestCompletedCallback completed,
                                                       MHD_NotifyConnectionCallback connected, void *context) {
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, port, NULL, NULL, access, context,
                            MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
                            MHD_OPTION_CONNECTION_LIMIT, limits.connections,
                            MHD_OPTION_PER_IP_CONNECTION_LIMIT, limits.connections_per_address,
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
static inline uint16_t remindav_daemon_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info == NULL ? 0 : info->port;
}

// The socket of a connection; -1 when it has none.
static inline int remindav_connection_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : (int)info->connect_fd;
}
