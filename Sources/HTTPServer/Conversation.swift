import HTTP

/// The state of one request: every event returns the next step.
///
/// libmicrohttpd calls once for the headers, once per piece of the body, once at its end, and once more after the
/// connection has been resumed.
struct Conversation: Sendable {
    enum Step: Sendable {
        /// Wait for libmicrohttpd's next call.
        case readOn
        /// Suspend the connection and call the handler.
        case callHandler(Request)
        case answer(Response)
        case refuse(Refusal)
        case hangUp
    }

    private enum Phase: Sendable {
        case expectingHead
        case readingBody(Request)
        /// An answer can only be given after the end of the body, so the rest is read and dropped.
        case droppingBody(count: Int)
        case handling
        case ready(Response)
        case over
    }

    let target: String
    private let rules: RequestRules
    private var phase = Phase.expectingHead
    private var body: [UInt8] = []
    /// So many times the allowed body is dropped before the connection is closed.
    private static let droppedBodies = 4

    init(target: String, rules: RequestRules) {
        self.target = target
        self.rules = rules
    }

    /// libmicrohttpd's first call brings only the headers.
    var expectsHead: Bool {
        if case .expectingHead = self.phase { true } else { false }
    }

    mutating func headArrived(_ head: Request) -> Step {
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
        case .droppingBody, .expectingHead, .handling, .ready, .over:
            self.phase = .over
            return .hangUp
        }
    }

    /// The body has ended, or the connection was resumed.
    mutating func proceed() -> Step {
        switch self.phase {
        case .readingBody(var request):
            self.phase = .handling
            request.body = self.body
            self.body = []
            return .callHandler(request)
        case .droppingBody:
            self.phase = .over
            return .refuse(.contentTooLarge)
        case .ready(let response):
            self.phase = .over
            return .answer(response)
        case .expectingHead, .handling, .over:
            self.phase = .over
            return .hangUp
        }
    }

    mutating func answerArrived(_ response: Response) { self.phase = .ready(response) }
}
