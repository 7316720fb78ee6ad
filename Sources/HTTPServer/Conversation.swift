import HTTP

/// The state of one request: every event returns the next step.
///
/// libmicrohttpd calls once for the headers, once per piece of the body, once at its end, and once more after the
/// connection has been resumed.
struct Conversation: Sendable {
    /// The step of the server after an event.
    enum Step: Sendable {
        /// Wait for libmicrohttpd's next call.
        case readOn
        /// Suspend the connection and ask the handler.
        case ask(Request)
        case answer(Response)
        case refuse(Refusal)
        /// Close the connection without an answer.
        case hangUp
    }

    private enum Phase: Sendable {
        case expectingHead
        case readingBody(RequestHead)
        /// The body is longer than allowed. An answer can only be given after its end, so the rest is read and dropped.
        case droppingBody(count: Int)
        case asking
        case ready(Response)
        case over
    }

    let target: String
    private let rules: RequestRules
    private var phase = Phase.expectingHead
    private var body: [UInt8] = []

    /// So many times the allowed body is dropped before the connection is closed instead.
    private static let droppedBodies = 4

    init(target: String, rules: RequestRules) {
        self.target = target
        self.rules = rules
    }

    /// Whether the headers have been read: libmicrohttpd's first call brings nothing else.
    var expectsHead: Bool {
        if case .expectingHead = self.phase { true } else { false }
    }

    mutating func headArrived(_ head: RequestHead) -> Step {
        if let refusal = self.rules.refusal(of: head) {
            self.phase = .over
            return .refuse(refusal)
        }
        self.phase = .readingBody(head)
        return .readOn
    }

    mutating func bodyArrived(_ piece: UnsafeRawBufferPointer) -> Step {
        switch self.phase {
        case .readingBody where self.body.count + piece.count <= self.rules.bodyBytes:
            self.body.append(contentsOf: piece)
            return .readOn
        case .readingBody:
            self.phase = .droppingBody(count: self.body.count + piece.count)
            self.body = []
            return .readOn
        case .droppingBody(let count) where count <= Self.droppedBodies * self.rules.bodyBytes:
            self.phase = .droppingBody(count: count + piece.count)
            return .readOn
        case .droppingBody, .expectingHead, .asking, .ready, .over:
            self.phase = .over
            return .hangUp
        }
    }

    /// The body has ended, or the connection was resumed.
    mutating func proceed() -> Step {
        switch self.phase {
        case .readingBody(let head):
            self.phase = .asking
            let request = Request(head: head, body: self.body)
            self.body = []
            return .ask(request)
        case .droppingBody:
            self.phase = .over
            return .refuse(.contentTooLarge)
        case .ready(let response):
            self.phase = .over
            return .answer(response)
        case .expectingHead, .asking, .over:
            self.phase = .over
            return .hangUp
        }
    }

    mutating func answerArrived(_ response: Response) {
        self.phase = .ready(response)
    }
}
