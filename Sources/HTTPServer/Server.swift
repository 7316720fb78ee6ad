import CMicroHTTPD
import Glibc
package import HTTP
import Platform
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

/// Answers HTTP requests on 127.0.0.1; only this file calls libmicrohttpd.
///
/// One thread of libmicrohttpd reads requests and writes answers. The handler runs as a task while its connection is
/// suspended. The answer to `HEAD` has the length of the handler's body, but not the body. No request is logged,
/// because a target may contain a feed's token.
package final class Server: Sendable {
    /// `Request.url` is the request target as received, without percent-decoding, such as `/feed/x.ics?style=todo`.
    package typealias Handler = @Sendable (Request) async -> Response
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
    ///   - handler: called for each well-formed request; several calls may run at the same time.
    package init(
        _ listener: Listener,
        hosts: Set<String> = [],
        hostAdvice: String = "",
        limits: ServerLimits = ServerLimits(),
        uploads: Uploads? = nil,
        handler: @escaping Handler
    ) throws(ServerError) {
        let (port, socket): (UInt16, Int32) =
            switch listener {
            case .port(let port): (port, -1)
            case .socket(let socket): (0, socket)
            }
        guard let library = HTTPLibrary.functions else { throw ServerError(code: .noLibrary, port: port) }
        let table = ConnectionTable(
            library,
            handler: handler,
            hosts: hosts,
            hostAdvice: hostAdvice,
            limits: limits,
            uploads: uploads
        )
        // `stop` releases this reference. Until then, the library may pass the pointer to the callbacks.
        let context = Unmanaged.passRetained(table)
        guard
            let daemon = remindav_start_daemon(
                library,
                port,
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
            throw ServerError(code: code, port: port)
        }
        self.port = remindav_daemon_port(library, daemon)
        self.daemon = LibraryPointer(pointer: daemon)
        self.table = table
        table.open(port: self.port)
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

/// A pointer to the daemon or to a connection of libmicrohttpd.
///
/// Any thread may stop the daemon; ``ConnectionTable/close()`` allows this only once. Any thread may resume a suspended
/// connection, because libmicrohttpd does not free the connection while it is suspended.
private struct LibraryPointer: @unchecked Sendable {
    let pointer: OpaquePointer
}

private final class ConnectionTable: Sendable {
    struct State: Sendable {
        /// The port that the server listens on; 0 before the server has opened.
        var port: UInt16 = 0
        var isClosing = false
        /// The number of running handlers; each handler has one suspended connection.
        var runningHandlers = 0
        /// The number of handlers' answers that are not completely written yet.
        var answering = 0
        /// The bodies that are written over time.
        var streams: Set<BodyStream> = []
        /// Whether a task ends the connections whose deadline is over.
        var isSweeping = false
    }

    /// The pointer is never changed after initialization, so any thread may read it.
    nonisolated(unsafe) let library: RemindavHTTPLibrary
    let handler: Server.Handler
    let hosts: Set<String>
    let hostAdvice: String
    let limits: ServerLimits
    let uploads: Uploads?
    /// The number in the name of the next file for a body.
    let nextFile = Atomic(0)
    let state = Mutex(State())
    let waiting = Mutex(WaitingConnections())

    init(
        _ library: RemindavHTTPLibrary,
        handler: @escaping Server.Handler,
        hosts: Set<String>,
        hostAdvice: String,
        limits: ServerLimits,
        uploads: Uploads?
    ) {
        self.uploads = uploads
        self.library = library
        self.handler = handler
        self.hosts = Set(hosts.map { $0.lowercased() })
        self.hostAdvice = hostAdvice
        self.limits = limits
    }

    var rules: RequestRules {
        RequestRules(
            hosts: self.hosts,
            port: self.state.withLock { $0.port },
            bodyBytes: self.limits.bodyBytes,
            uploadBytes: self.limits.uploadBytes
        )
    }

    /// A file for the body of a request; `nil` if the body must be short.
    func newFile(for head: Request) -> SpoolFile? {
        guard let uploads = self.uploads, uploads.accepts(head) else { return nil }
        let number = self.nextFile.add(1, ordering: .relaxed).newValue
        return try? SpoolFile(in: uploads.folder, name: ".upload-\(getpid())-\(number)")
    }

    func open(port: UInt16) { self.state.withLock { $0.port = port } }

    /// - Returns: whether this call was the first.
    func close() -> Bool {
        self.state.withLock { state in
            defer { state.isClosing = true }
            return !state.isClosing
        }
    }

    /// Counts a new running handler; returns `false` if the server is closing, so that no handler may start.
    func startHandler() -> Bool {
        self.state.withLock { state in
            guard !state.isClosing else { return false }
            state.runningHandlers += 1
            return true
        }
    }

    var requestTime: WaitingConnections.Span { .seconds(self.limits.requestSeconds) }
    var answerTime: WaitingConnections.Span { .seconds(self.limits.answerSeconds) }

    /// Closes the connections whose deadline is over, once a second while there are deadlines.
    ///
    /// A server without connections, or with idle streams only, has no timer.
    func sweep() {
        let isFirst = self.state.withLock { state in
            defer { state.isSweeping = true }
            return !state.isSweeping
        }
        guard isFirst else { return }
        Task {
            repeat {
                try? await Task.sleep(for: .seconds(1))
                self.waiting.withLock { $0.end(at: ContinuousClock.now) }
            } while self.continuesSweeping()
        }
    }

    private func continuesSweeping() -> Bool {
        self.state.withLock { state in
            // A new deadline appears before `sweep()` takes this lock, so it is seen here or starts a new task there.
            state.isSweeping = !state.isClosing && self.waiting.withLock { $0.hasDeadlines }
            return state.isSweeping
        }
    }

    /// Ends the streams; a later one ends at once.
    func endStreams() {
        for stream in self.state.withLock({ $0.streams }) { stream.end() }
    }

    func waitUntilIdle() async {
        while self.state.withLock({ $0.runningHandlers > 0 }) { try? await Task.sleep(for: .milliseconds(5)) }
        let end = ContinuousClock.now.advanced(by: .seconds(self.limits.graceSeconds))
        while self.state.withLock({ $0.answering > 0 }), ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(5))
        }
    }
}

/// One request, until the last byte of its answer is sent; libmicrohttpd stores a reference to this object.
private final class Exchange: Sendable {
    let conversation: Mutex<Conversation>
    /// Whether the handler's answer is being written; the library's thread and the handler's task both use this flag.
    let isAnswering = Mutex(false)
    init(target: String, rules: RequestRules) { self.conversation = Mutex(Conversation(target: target, rules: rules)) }
}

extension ConnectionTable {
    func perform(_ step: Conversation.Step, for exchange: Exchange, on connection: OpaquePointer) -> MHD_Result {
        switch step {
        case .readOn: .YES
        case .hangUp: .NO
        case .refuse(let refusal): self.send(refusal, on: connection)
        case .answer(let response): self.send(response, on: connection)
        case .callHandler(let request): self.callHandler(request, for: exchange, on: connection)
        }
    }

    private func callHandler(_ request: Request, for exchange: Exchange, on connection: OpaquePointer) -> MHD_Result {
        let answerTime = self.answerTime
        self.waiting.withLock { $0.arrived(UInt(bitPattern: connection), answerWithin: answerTime) }
        guard self.startHandler() else { return self.send(Refusal.unavailable, on: connection) }
        self.library.pointee.suspend_connection(connection)
        let suspended = LibraryPointer(pointer: connection)
        Task {
            let response = await self.handler(request)
            exchange.conversation.withLock { $0.answerArrived(response) }
            exchange.isAnswering.withLock { $0 = true }
            self.state.withLock { $0.answering += 1 }
            self.library.pointee.resume_connection(suspended.pointer)
            self.state.withLock { $0.runningHandlers -= 1 }
        }
        self.sweep()
        return .YES
    }

    func completed(_ exchange: Exchange, on connection: OpaquePointer) {
        let requestTime = self.requestTime
        self.waiting.withLock { $0.waits(UInt(bitPattern: connection), within: requestTime) }
        self.sweep()
        if exchange.isAnswering.withLock({ $0 }) { self.state.withLock { $0.answering -= 1 } }
    }
}

// libmicrohttpd calls the following functions on its own thread. They capture nothing, because they are C functions.

/// The only callback that receives the target as the client sent it, without percent-decoding.
private func handleTarget(
    context: UnsafeMutableRawPointer?,
    target: UnsafePointer<CChar>?,
    connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let context, let target else { return nil }
    let table = Unmanaged<ConnectionTable>.fromOpaque(context).takeUnretainedValue()
    let exchange = Exchange(target: String(cString: target), rules: table.rules)
    return Unmanaged.passRetained(exchange).toOpaque()
}

private func handleAccess(
    context: UnsafeMutableRawPointer?,
    connection: OpaquePointer?,
    url: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?,
    version: UnsafePointer<CChar>?,
    piece: UnsafePointer<CChar>?,
    pieceSize: UnsafeMutablePointer<Int>?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context, let connection, let method, let pieceSize, let place = slot?.pointee else { return .NO }
    let table = Unmanaged<ConnectionTable>.fromOpaque(context).takeUnretainedValue()
    let exchange = Unmanaged<Exchange>.fromOpaque(place).takeUnretainedValue()
    let step = exchange.conversation.withLock { conversation in
        if conversation.expectsHead {
            var request = Request(
                method: String(cString: method),
                url: conversation.target,
                headers: table.headers(of: connection)
            )
            request.peer = Peer(socket: remindav_connection_socket(table.library, connection))
            let step = conversation.headArrived(request, newFile: table.newFile)
            if conversation.isSaving {
                let (id, time) = (UInt(bitPattern: connection), table.answerTime)
                table.waiting.withLock { $0.waits(id, within: time) }
            }
            return step
        }
        if pieceSize.pointee > 0, let piece {
            defer { pieceSize.pointee = 0 }
            return conversation.bodyArrived(UnsafeRawBufferPointer(start: piece, count: pieceSize.pointee))
        }
        return conversation.proceed()
    }
    return table.perform(step, for: exchange, on: connection)
}

private func handleCompletion(
    context: UnsafeMutableRawPointer?,
    connection: OpaquePointer?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    reason: MHD_RequestTerminationCode
) {
    guard let context, let connection, let slot, let place = slot.pointee else { return }
    slot.pointee = nil
    let exchange = Unmanaged<Exchange>.fromOpaque(place).takeRetainedValue()
    Unmanaged<ConnectionTable>.fromOpaque(context).takeUnretainedValue().completed(exchange, on: connection)
}

private func handleConnection(
    context: UnsafeMutableRawPointer?,
    connection: OpaquePointer?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    event: MHD_ConnectionNotificationCode
) {
    guard let context, let connection else { return }
    let table = Unmanaged<ConnectionTable>.fromOpaque(context).takeUnretainedValue()
    let id = UInt(bitPattern: connection)
    switch event {
    case .CONNECTION_NOTIFY_STARTED:
        let requestTime = table.requestTime
        let socket = remindav_connection_socket(table.library, connection)
        let limit = table.limits.connections
        table.waiting.withLock { $0.opened(id, socket: socket, within: requestTime, limit: limit) }
        table.sweep()
    case .CONNECTION_NOTIFY_CLOSED:
        table.waiting.withLock { $0.closed(id) }
    @unknown default:
        break
    }
}

extension ConnectionTable {
    func headers(of connection: OpaquePointer) -> Headers {
        var headers = Headers()
        withUnsafeMutablePointer(to: &headers) { list in
            _ = self.library.pointee.get_connection_values_n(connection, .HEADER_KIND, collectHeader, list)
        }
        return headers
    }

    func send(_ refusal: Refusal, on connection: OpaquePointer) -> MHD_Result {
        let advice =
            switch refusal {
            case .misdirected where !self.hostAdvice.isEmpty: "\(self.hostAdvice)\n"
            case .contentTooLarge: "The text is too long: at most \(self.limits.bodyBytes) bytes are possible.\n"
            default: ""
            }
        return self.send(
            status: refusal.rawValue,
            headers: [("Content-Type", "text/plain; charset=utf-8"), ("Connection", "close")],
            body: Array("\(refusal.rawValue) \(refusal.phrase)\n\(advice)".utf8),
            on: connection
        )
    }

    func send(_ response: Response, on connection: OpaquePointer) -> MHD_Result {
        if let stream = response.stream { return self.send(response, stream, on: connection) }
        return self.send(status: response.status, headers: response.fieldsToSend, body: response.body, on: connection)
    }

    private func send(_ response: Response, _ stream: BodyStream, on connection: OpaquePointer) -> MHD_Result {
        self.waiting.withLock { $0.hasNoDeadline(UInt(bitPattern: connection)) }
        let isClosing = self.state.withLock { state in
            state.streams.insert(stream)
            return state.isClosing
        }
        if isClosing { stream.end() }
        // `closeBody` releases this reference.
        let sender = Unmanaged.passRetained(StreamSender(stream, self, LibraryPointer(pointer: connection)))
        let created = self.library.pointee.create_response_from_callback(
            UInt64.max,
            StreamSender.blockBytes,
            readBody,
            sender.toOpaque(),
            closeBody
        )
        guard let created else {
            closeBody(context: sender.toOpaque())
            return .NO
        }
        return self.queue(created, status: response.status, headers: response.fieldsToSend, on: connection)
    }

    private func send(
        status: Int,
        headers: [(name: String, value: String)],
        body: [UInt8],
        on connection: OpaquePointer
    ) -> MHD_Result {
        let created = body.withUnsafeBytes { bytes in
            self.library.pointee.create_response_from_buffer(
                bytes.count,
                UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                .RESPMEM_MUST_COPY
            )
        }
        guard let created else { return .NO }
        return self.queue(created, status: status, headers: headers, on: connection)
    }

    private func queue(
        _ created: OpaquePointer,
        status: Int,
        headers: [(name: String, value: String)],
        on connection: OpaquePointer
    ) -> MHD_Result {
        defer { self.library.pointee.destroy_response(created) }
        // The library refuses a header that contains a line end. In that case, no answer is sent.
        for (name, value) in headers where self.library.pointee.add_response_header(created, name, value) == .NO {
            return .NO
        }
        return self.library.pointee.queue_response(connection, UInt32(status), created)
    }
}

/// Sends a body that is written over time; libmicrohttpd stores a reference to this object.
private final class StreamSender: Sendable {
    let stream: BodyStream
    let table: ConnectionTable
    private let connection: LibraryPointer
    static let blockBytes = 4096

    init(_ stream: BodyStream, _ table: ConnectionTable, _ connection: LibraryPointer) {
        self.stream = stream
        self.table = table
        self.connection = connection
    }

    /// Copies the next bytes to libmicrohttpd; without any, suspends the connection until there are some.
    func read(_ target: UnsafeMutableRawBufferPointer) -> Int {
        let (library, connection) = (self.table.library, self.connection)
        let piece = self.stream.read(target.count) {
            library.pointee.suspend_connection(connection.pointer)
            return { [self] in self.resume() }
        }
        switch piece {
        case .bytes(let bytes):
            target.copyBytes(from: bytes)
            return bytes.count
        case .none: return 0
        case .end: return Self.endOfBody
        }
    }

    private func resume() { self.table.library.pointee.resume_connection(self.connection.pointer) }

    // MHD_CONTENT_READER_END_OF_STREAM
    private static let endOfBody = -1

    func close() {
        self.stream.close()
        self.table.state.withLock { state in _ = state.streams.remove(self.stream) }
    }
}

private func readBody(
    context: UnsafeMutableRawPointer?,
    position: UInt64,
    buffer: UnsafeMutablePointer<CChar>?,
    size: Int
) -> Int {
    guard let context, let buffer else { return 0 }
    return Unmanaged<StreamSender>.fromOpaque(context).takeUnretainedValue()
        .read(UnsafeMutableRawBufferPointer(start: buffer, count: size))
}

private func closeBody(context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<StreamSender>.fromOpaque(context).takeRetainedValue().close()
}

private func collectHeader(
    list: UnsafeMutableRawPointer?,
    kind: MHD_ValueKind,
    name: UnsafePointer<CChar>?,
    nameSize: Int,
    value: UnsafePointer<CChar>?,
    valueSize: Int
) -> MHD_Result {
    guard let list, let name else { return .NO }
    let text = String(decoding: UnsafeRawBufferPointer(start: name, count: nameSize), as: UTF8.self)
    // Bytes that are not valid UTF-8 become U+FFFD.
    let bytes = UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize)
    let headers = list.assumingMemoryBound(to: Headers.self)
    headers.pointee.append(HeaderName(text), String(decoding: bytes, as: UTF8.self))
    return .YES
}

extension Response {
    /// The headers, without those that libmicrohttpd writes itself.
    ///
    /// After a status of 400 to 499, the connection is closed, because the bytes behind a bad request may be a smuggled
    /// request (RFC 9112 §11.2). libmicrohttpd 0.9 does not detect every smuggled request.
    fileprivate var fieldsToSend: [(name: String, value: String)] {
        let fields = self.headers.filter { !Self.framing.contains($0.name) }.map { ($0.name.wire, $0.value) }
        return (400..<500).contains(self.status) ? fields + [("Connection", "close")] : fields
    }

    private static let framing: Set<HeaderName> = [.contentLength, .transferEncoding, "Connection", "Date"]
}
