import Glibc
import RemindavCMicroHTTPD
package import RemindavHTTP
import RemindavPlatform
import Synchronization

/// The socket that a server listens on.
package enum Listener: Hashable, Sendable {
    /// A port of 127.0.0.1; 0 lets the system choose an unused port.
    case port(UInt16)
    /// An open socket that already listens, such as that of systemd; the server closes it at the end.
    case socket(Int32)
}

/// The long bodies that a server accepts, and writes to files.
package struct Uploads: Sendable {
    let folder: String
    let accepts: @Sendable (Request) -> Bool

    /// - Parameters:
    ///   - folder: the folder of the files, which have no names and disappear with the request.
    ///   - accepts: whether a request may have a long body; only its headers have arrived.
    package init(folder: String, accepts: @escaping @Sendable (Request) -> Bool) {
        self.folder = folder
        self.accepts = accepts
    }
}

/// Answers HTTP requests on 127.0.0.1; only the files of this folder call libmicrohttpd.
///
/// One thread of libmicrohttpd reads requests and writes answers. The handler runs as a task while its connection is
/// suspended. The answer to `HEAD` has the length of the handler's body, but not the body. No request is logged,
/// because a target may contain a feed's token.
package final class Server: Sendable {
    /// `Request.url` is the request target as received, without percent-decoding, such as `/feed/x.ics?style=todo`.
    package typealias Handler = @Sendable (Request) async -> Response
    /// The port that the server listens on.
    package let port: UInt16
    private let daemon: LibraryPointer
    private let table: ConnectionTable

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - listener: the socket or the port. The property ``port`` contains the port that the system chose.
    ///   - hosts: the allowed names in `Host` besides `localhost`, `127.0.0.1` and `[::1]`, without port, such
    ///     as the name of a reverse proxy. A request with another name gets status 421.
    ///   - hostAdvice: a sentence in the body of the answer with status 421; empty for none.
    ///   - uploads: the long bodies; `nil` for none.
    ///   - executor: runs the handlers, for those that block; `nil` for Swift's own threads.
    ///   - handler: called for each well-formed request; several calls may run at the same time.
    package init(
        _ listener: Listener,
        hosts: Set<String> = [],
        hostAdvice: String = "",
        limits: ServerLimits = ServerLimits(),
        uploads: Uploads? = nil,
        executor: (any TaskExecutor)? = nil,
        handler: @escaping Handler
    ) throws(ServerError) {
        let (requestedPort, socket): (UInt16, Int32) =
            switch listener {
            case .port(let port): (port, -1)
            case .socket(let socket): (0, socket)
            }
        guard let library = HTTPLibrary.functions else { throw ServerError(code: .noLibrary, port: requestedPort) }
        let table = ConnectionTable(
            library,
            handler: handler,
            hosts: hosts,
            hostAdvice: hostAdvice,
            limits: limits,
            uploads: uploads,
            executor: executor
        )
        // `stop` releases this reference. Until then, the library may pass the pointer to the callbacks.
        let context = Unmanaged.passRetained(table)
        // A request may wait at the socket already. It would get status 421, because `Host` names a port that is not
        // known yet. Callbacks need this lock, so they wait until the port is stored.
        let (daemon, port) = try table.state.withLock { state throws(ServerError) in
            guard
                let daemon = remindav_start_daemon(
                    library,
                    requestedPort,
                    RemindavServerLimits(
                        listener: socket,
                        connections: UInt32(limits.answeredConnections),
                        connection_memory_bytes: limits.connectionMemoryBytes,
                        timeout_seconds: UInt32(limits.timeoutSeconds)
                    ),
                    handleAccess,
                    handleTarget,
                    handleCompletion,
                    handleConnection,
                    context.toOpaque()
                )
            else {
                // `errno` is read first, because an allocation may change it.
                let number = errno
                let codes: [Int32: ServerError.Code] = [
                    EADDRINUSE: .portInUse, EACCES: .portForbidden, EPERM: .portForbidden,
                ]
                let code = codes[number] ?? .notStarted
                context.release()
                throw ServerError(code: code, port: requestedPort)
            }
            state.port = remindav_daemon_port(library, daemon)
            return (LibraryPointer(pointer: daemon), state.port)
        }
        self.port = port
        self.daemon = daemon
        self.table = table
    }

    /// The time since the last connection was closed; `nil` while there is a connection.
    package var idleTime: Swift.Duration? {
        self.table.waiting.withLock { $0.idleSince }.map { ContinuousClock.now - $0 }
    }

    /// Stops accepting requests, and closes every connection after a wait; a second call does nothing.
    ///
    /// It waits for the running handlers, then up to ``ServerLimits/graceSeconds`` for the writing of their answers.
    package func stop() async {
        guard self.table.close() else { return }
        self.table.endStreams()
        let library = self.table.library
        let listener = library.pointee.quiesce_daemon(self.daemon.pointer)
        // The wait runs in its own task, because a sleep in a cancelled task returns at once. Without the wait,
        // `stop_daemon` would abort the process if a connection is suspended.
        await Task { [table = self.table] in await table.waitUntilIdle() }.value
        library.pointee.stop_daemon(self.daemon.pointer)
        if listener >= 0 { close(listener) }
        Unmanaged.passUnretained(self.table).release()
    }
}
