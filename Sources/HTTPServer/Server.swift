import CMicroHTTPD
import Glibc
package import HTTP
import Synchronization

/// Answers HTTP requests on 127.0.0.1.
///
/// The only door through which requests come in, and the only file that knows libmicrohttpd. One thread of the library
/// reads and writes; the handler runs as a task while its connection is suspended. `HEAD` is answered without the body
/// that the handler gives, but with its length. Nothing is logged: a target may hold a feed's token.
package final class Server: Sendable {
    /// Answers one request.
    ///
    /// `Request.url` is the request target as received (`/feed/x.ics?style=todo`), not decoded.
    package typealias Handler = @Sendable (Request) async -> Response

    /// The port that the server listens on.
    package let port: UInt16
    private let daemon: Daemon
    private let desk: ConnectionTable
    private let sweeper: Task<Void, Never>

    /// Starts to listen on 127.0.0.1.
    ///
    /// - Parameters:
    ///   - port: 0 takes a free one; see ``port``.
    ///   - hosts: names besides `localhost`, `127.0.0.1` and `[::1]` that a `Host` header may hold, without port: those
    ///     of a reverse proxy in front. Every other name gets 421.
    ///   - hostAdvice: a sentence in the body of that 421; empty for none.
    ///   - handler: called for each well-formed request, several at a time.
    package init(
        port: UInt16,
        hosts: Set<String> = [],
        hostAdvice: String = "",
        limits: ServerLimits = ServerLimits(),
        handler: @escaping Handler
    ) throws(ServerError) {
        guard let library = HTTPLibrary.functions else { throw ServerError(code: .noLibrary, port: port) }
        let desk = ConnectionTable(library, handler: handler, hosts: hosts, hostAdvice: hostAdvice, limits: limits)
        // Given back in `stop`: as long as the library runs, it may call with this pointer.
        let context = Unmanaged.passRetained(desk)
        guard
            let daemon = remindav_start_daemon(
                library,
                port,
                RemindavServerLimits(limits),
                handleAccess,
                handleTarget,
                handleCompletion,
                handleConnection,
                context.toOpaque()
            )
        else {
            let code = errno
            context.release()
            throw ServerError(errno: code, port: port)
        }
        self.port = remindav_daemon_port(library, daemon)
        self.daemon = Daemon(pointer: daemon)
        self.desk = desk
        self.sweeper = Task { await desk.endWaiting() }
        desk.open(port: self.port)
    }

    /// Takes no more requests, lets those in hand be answered, and closes every connection.
    ///
    /// Waits for each handler that is running, and up to ``ServerLimits/graceSeconds`` for its answer to be written.
    /// A second call does nothing.
    package func stop() async {
        guard self.desk.close() else { return }
        self.sweeper.cancel()
        let library = self.desk.library
        let listener = library.pointee.quiesce_daemon(self.daemon.pointer)
        // A task of its own: were this one cancelled, its sleep would be none, and the library aborts the process when
        // it is stopped with a suspended connection.
        await Task { [desk = self.desk] in
            await desk.waitUntilIdle()
        }.value
        library.pointee.stop_daemon(self.daemon.pointer)
        if listener >= 0 { close(listener) }
        Unmanaged.passUnretained(self.desk).release()
    }
}

/// `@unchecked Sendable`: libmicrohttpd lets any thread quiesce and stop a daemon; ``ConnectionTable/close()`` lets only one.
private struct Daemon: @unchecked Sendable {
    let pointer: OpaquePointer
}

/// `@unchecked Sendable`: libmicrohttpd lets any thread resume a connection, and keeps a suspended one alive.
private struct Connection: @unchecked Sendable {
    let pointer: OpaquePointer
}

/// The data that all requests of a server share.
private final class ConnectionTable: Sendable {
    struct State: Sendable {
        /// 0 before the server has opened.
        var port: UInt16 = 0
        var isClosing = false
        /// Handlers that run; each has one suspended connection.
        var asked = 0
        /// Answers of theirs that are not yet written.
        var answering = 0
    }

    /// Never changed once it is there.
    nonisolated(unsafe) let library: RemindavHTTPLibrary
    let handler: Server.Handler
    let hosts: Set<String>
    let hostAdvice: String
    let limits: ServerLimits
    let state = Mutex(State())
    let waiting = Mutex(WaitingConnections())

    init(
        _ library: RemindavHTTPLibrary,
        handler: @escaping Server.Handler,
        hosts: Set<String>,
        hostAdvice: String,
        limits: ServerLimits
    ) {
        self.library = library
        self.handler = handler
        self.hosts = Set(hosts.map { $0.lowercased() })
        self.hostAdvice = hostAdvice
        self.limits = limits
    }

    var rules: RequestRules {
        RequestRules(hosts: self.hosts, port: self.state.withLock { $0.port }, bodyBytes: self.limits.bodyBytes)
    }

    func open(port: UInt16) {
        self.state.withLock { $0.port = port }
    }

    /// - Returns: whether this call was the first.
    func close() -> Bool {
        self.state.withLock { state in
            defer { state.isClosing = true }
            return !state.isClosing
        }
    }

    /// Counts one more handler, unless the server is closing: once it is and none runs, none will.
    func mayAsk() -> Bool {
        self.state.withLock { state in
            guard !state.isClosing else { return false }
            state.asked += 1
            return true
        }
    }

    /// The time within which a request that is waited for from now on must have arrived.
    var requestTime: WaitingConnections.Span { .seconds(self.limits.requestSeconds) }

    /// The deadline for the client to receive an answer that begins now.
    var answerTime: WaitingConnections.Span { .seconds(self.limits.answerSeconds) }

    /// Closes connections after their time limit, once a second until its task is cancelled.
    func endWaiting() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            self.waiting.withLock { $0.end(at: ContinuousClock.now) }
        }
    }

    func waitUntilIdle() async {
        while self.state.withLock({ $0.asked > 0 }) { try? await Task.sleep(for: .milliseconds(5)) }
        let end = ContinuousClock.now.advanced(by: .seconds(self.limits.graceSeconds))
        while self.state.withLock({ $0.answering > 0 }), ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(5))
        }
    }
}

/// One request's place in libmicrohttpd's slot, from its first line to its last byte.
private final class Exchange: Sendable {
    let conversation: Mutex<Conversation>
    /// Whether an answer of the handler is being written.
    ///
    /// Touched by the library's thread and the handler's task.
    let isAnswering = Mutex(false)

    init(target: String, rules: RequestRules) {
        self.conversation = Mutex(Conversation(target: target, rules: rules))
    }
}

extension ConnectionTable {
    func perform(_ step: Conversation.Step, for exchange: Exchange, on connection: OpaquePointer) -> MHD_Result {
        switch step {
        case .readOn: .YES
        case .hangUp: .NO
        case .refuse(let refusal): self.send(refusal, on: connection)
        case .answer(let response): self.send(response, on: connection)
        case .ask(let request): self.ask(request, for: exchange, on: connection)
        }
    }

    private func ask(_ request: Request, for exchange: Exchange, on connection: OpaquePointer) -> MHD_Result {
        let answerTime = self.answerTime
        self.waiting.withLock { $0.arrived(UInt(bitPattern: connection), answerWithin: answerTime) }
        guard self.mayAsk() else { return self.send(Refusal.unavailable, on: connection) }
        self.library.pointee.suspend_connection(connection)
        let suspended = Connection(pointer: connection)
        Task {
            let response = await self.handler(request)
            exchange.conversation.withLock { $0.answerArrived(response) }
            exchange.isAnswering.withLock { $0 = true }
            self.state.withLock { $0.answering += 1 }
            self.library.pointee.resume_connection(suspended.pointer)
            self.state.withLock { $0.asked -= 1 }
        }
        return .YES
    }

    func completed(_ exchange: Exchange, on connection: OpaquePointer) {
        let requestTime = self.requestTime
        self.waiting.withLock { $0.waits(UInt(bitPattern: connection), within: requestTime) }
        let wasAnswering = exchange.isAnswering.withLock { $0 }
        if wasAnswering { self.state.withLock { $0.answering -= 1 } }
    }
}

// MARK: The library's callbacks: functions without captures, called on its thread

/// The request line has been read: the only call that has the target as it was received.
private func handleTarget(
    context: UnsafeMutableRawPointer?,
    target: UnsafePointer<CChar>?,
    connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let context, let target else { return nil }
    let desk = Unmanaged<ConnectionTable>.fromOpaque(context).takeUnretainedValue()
    let exchange = Exchange(target: String(cString: target), rules: desk.rules)
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
    let desk = Unmanaged<ConnectionTable>.fromOpaque(context).takeUnretainedValue()
    let exchange = Unmanaged<Exchange>.fromOpaque(place).takeUnretainedValue()
    let step = exchange.conversation.withLock { conversation in
        if conversation.expectsHead {
            return conversation.headArrived(
                RequestHead(
                    method: String(cString: method),
                    target: conversation.target,
                    headers: desk.headers(of: connection)
                )
            )
        }
        if pieceSize.pointee > 0, let piece {
            defer { pieceSize.pointee = 0 }
            return conversation.bodyArrived(UnsafeRawBufferPointer(start: piece, count: pieceSize.pointee))
        }
        return conversation.proceed()
    }
    return desk.perform(step, for: exchange, on: connection)
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
    let desk = Unmanaged<ConnectionTable>.fromOpaque(context).takeUnretainedValue()
    let id = UInt(bitPattern: connection)
    switch event {
    case .CONNECTION_NOTIFY_STARTED:
        let requestTime = desk.requestTime
        let socket = remindav_connection_socket(desk.library, connection)
        let limit = desk.limits.connections
        desk.waiting.withLock { $0.opened(id, socket: socket, within: requestTime, limit: limit) }
    case .CONNECTION_NOTIFY_CLOSED:
        desk.waiting.withLock { $0.closed(id) }
    @unknown default:
        break
    }
}

// MARK: To and from the library

extension ConnectionTable {
    func headers(of connection: OpaquePointer) -> [(name: String, value: [UInt8])] {
        var headers: [(name: String, value: [UInt8])] = []
        withUnsafeMutablePointer(to: &headers) { list in
            _ = self.library.pointee.get_connection_values_n(connection, .HEADER_KIND, collectHeader, list)
        }
        return headers
    }

    func send(_ refusal: Refusal, on connection: OpaquePointer) -> MHD_Result {
        self.send(
            status: refusal.rawValue,
            headers: [("Content-Type", "text/plain; charset=utf-8"), ("Connection", "close")],
            body: Array("\(refusal.rawValue) \(refusal.phrase)\n\(self.advice(for: refusal))".utf8),
            on: connection
        )
    }

    private func advice(for refusal: Refusal) -> String {
        refusal == .misdirected && !self.hostAdvice.isEmpty ? "\(self.hostAdvice)\n" : ""
    }

    func send(_ response: Response, on connection: OpaquePointer) -> MHD_Result {
        self.send(status: response.status, headers: response.fieldsToSend, body: response.body, on: connection)
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
        defer { self.library.pointee.destroy_response(created) }
        // The library refuses a header with a line end in it; an answer without that header would be another answer.
        for (name, value) in headers where self.library.pointee.add_response_header(created, name, value) == .NO {
            return .NO
        }
        return self.library.pointee.queue_response(connection, UInt32(status), created)
    }
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
    let bytes = Array(UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize))
    list.assumingMemoryBound(to: [(name: String, value: [UInt8])].self).pointee.append((text, bytes))
    return .YES
}

extension RemindavServerLimits {
    fileprivate init(_ limits: ServerLimits) {
        self.init(
            connections: UInt32(limits.answeredConnections),
            connection_memory_bytes: limits.connectionMemoryBytes,
            timeout_seconds: UInt32(limits.timeoutSeconds)
        )
    }
}

extension ServerError {
    fileprivate init(errno: Int32, port: UInt16) {
        let code: Code =
            switch errno {
            case EADDRINUSE: .portInUse
            case EACCES, EPERM: .portForbidden
            default: .notStarted
            }
        self.init(code: code, port: port)
    }
}
