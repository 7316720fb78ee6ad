import Glibc
import RemindavCMicroHTTPD
import RemindavHTTP
import RemindavPlatform
import Synchronization

/// The state that the server, its callbacks and its handlers share.
final class ConnectionTable: Sendable {
    struct State: Sendable {
        /// The port that the server listens on; 0 until the start, which holds the lock, has stored it.
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
    /// Runs the handlers; `nil` for Swift's own threads.
    private let executor: (any TaskExecutor)?
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
        uploads: Uploads?,
        executor: (any TaskExecutor)?
    ) {
        self.uploads = uploads
        self.executor = executor
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

/// A pointer to the daemon or to a connection of libmicrohttpd.
///
/// Any thread may stop the daemon; ``ConnectionTable/close()`` allows this only once. Any thread may resume a suspended
/// connection, because libmicrohttpd does not free the connection while it is suspended.
struct LibraryPointer: @unchecked Sendable {
    let pointer: OpaquePointer
}

/// One request, until the last byte of its answer is sent; libmicrohttpd stores a reference to this object.
final class Exchange: Sendable {
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
        Task(executorPreference: self.executor) {
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
