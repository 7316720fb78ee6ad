import RemindavHTTP
import RemindavPlatform

/// The progress of one request; each event of libmicrohttpd is passed to a method, which returns the next step.
///
/// libmicrohttpd calls the server once for the headers, once per chunk of the body, once at the end of the body, and
/// once more after the server has resumed the suspended connection.
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
        case savingBody(Request, to: SpoolFile, count: Int)
        /// The body is too long; its remaining chunks are dropped, because the answer can only be sent after the body.
        case droppingBody(count: Int)
        /// The disk of the file is full; as above.
        case droppingUpload(count: Int)
        case handling
        case ready(Response)
        case over
    }

    let target: String
    private let rules: RequestRules
    private var phase = Phase.expectingHead
    private var body: [UInt8] = []
    /// The file with the body, which exists as long as this object.
    private var file: SpoolFile?
    /// A body up to this many times the allowed size is dropped and gets status 413; a longer one ends the connection.
    private static let droppedBodies = 4
    /// A body for a file is read up to this many bytes, so that the browser shows the answer with the limit.
    private static let droppedUploadBytes = 1 << 30

    init(target: String, rules: RequestRules) {
        self.target = target
        self.rules = rules
    }

    /// Whether libmicrohttpd's first call, which has only the headers, is still to come.
    var expectsHead: Bool {
        if case .expectingHead = self.phase { true } else { false }
    }

    /// - Parameter newFile: the file for the body, if the request may have a long one.
    mutating func headArrived(_ head: Request, newFile: (Request) -> SpoolFile? = { _ in nil }) -> Step {
        if let refusal = self.rules.refusal(of: head) {
            self.phase = .over
            return .refuse(refusal)
        }
        let file = newFile(head)
        if let refusal = self.rules.bodyRefusal(of: head.headers, bytes: file == nil ? self.rules.bodyBytes : .max) {
            // A browser shows the answer only if it could send the body.
            let length = head.headers[.contentLength].flatMap { Int($0) } ?? .max
            if refusal == .contentTooLarge, length <= Self.droppedBodies * self.rules.bodyBytes {
                self.phase = .droppingBody(count: 0)
                return .readOn
            }
            self.phase = .over
            return .refuse(refusal)
        }
        self.phase = file.map { .savingBody(head, to: $0, count: 0) } ?? .readingBody(head)
        return .readOn
    }

    /// Whether the body goes to a file, which may take longer.
    var isSaving: Bool {
        if case .savingBody = self.phase { true } else { false }
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
        case .savingBody(let request, let file, let count) where count <= Self.droppedUploadBytes:
            let kept = piece.prefix(max(0, self.rules.uploadBytes - count))
            do throws(SystemError) {
                try file.write(Array(kept))
            } catch {
                self.phase = .droppingUpload(count: count + piece.count)
                return .readOn
            }
            self.phase = .savingBody(request, to: file, count: count + piece.count)
            return .readOn
        case .droppingUpload(let count) where count <= Self.droppedUploadBytes:
            self.phase = .droppingUpload(count: count + piece.count)
            return .readOn
        case .droppingBody(let count) where count <= Self.droppedBodies * self.rules.bodyBytes:
            self.phase = .droppingBody(count: count + piece.count)
            return .readOn
        case .savingBody, .droppingUpload, .droppingBody, .expectingHead, .handling, .ready, .over:
            self.phase = .over
            return .hangUp
        }
    }

    /// Returns the step after the end of the body, or after the connection was resumed.
    mutating func proceed() -> Step {
        switch self.phase {
        case .readingBody(var request):
            self.phase = .handling
            request.body = self.body
            self.body = []
            return .callHandler(request)
        case .savingBody(var request, let file, let count):
            self.phase = .handling
            self.file = file
            request.bodyFile = BodyFile(path: file.path, isCut: count > self.rules.uploadBytes)
            return .callHandler(request)
        case .droppingBody:
            self.phase = .over
            return .refuse(.contentTooLarge)
        case .droppingUpload:
            self.phase = .over
            return .refuse(.insufficientStorage)
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
