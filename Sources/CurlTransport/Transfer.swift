internal import HTTP

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// One exchange on its way: what is sent, and what has come so far.
///
/// Made by the caller, then touched by the driver's thread alone; only the flag inside the lock is shared.
/// `@unchecked Sendable`: it is handed over once, through the driver's mailbox.
final class Transfer: @unchecked Sendable {
    typealias Outcome = Result<Response, TransportError>

    let id: UInt64
    let request: Request
    let host: String
    private let continuation: CheckedContinuation<Outcome, Never>

    let limits: TransportLimits
    private(set) var headers = Headers()
    private(set) var body: [UInt8] = []
    private var headerBytes = 0
    private var wireBytes = 0
    private var sent = 0
    /// Whether any byte of an answer has come: from then on the request is never repeated.
    private(set) var hasAnswer = false
    /// Whether the empty line after the header fields has come; libcurl is content without it.
    private(set) var hasWholeHeader = false
    /// Why a callback stopped the transfer, which libcurl only knows as "a callback stopped it".
    private(set) var violation: TransportError.Code?
    var attempts = 0
    /// Where libcurl writes what went wrong, in its own words.
    let errorBuffer: UnsafeMutablePointer<CChar>
    private var pace: Pace

    init(
        id: UInt64,
        request: Request,
        host: String,
        limits: TransportLimits,
        continuation: CheckedContinuation<Outcome, Never>
    ) {
        self.id = id
        self.request = request
        self.host = host
        let limits = limits.limits(for: request)
        self.limits = limits
        self.continuation = continuation
        self.pace = Pace(limits: limits)
        self.errorBuffer = .allocate(capacity: Self.errorBytes)
        self.errorBuffer.initialize(repeating: 0, count: Self.errorBytes)
    }

    deinit { self.errorBuffer.deallocate() }

    /// What libcurl asks for (`CURL_ERROR_SIZE`).
    private static let errorBytes = 256

    /// Room made for a body as long as the server says it is: that of a list of 10,000, so that it is not copied while it
    /// grows, and no more on the word of a stranger.
    private static let bytesReservedAtMost = 16 << 20

    /// What went wrong; empty when libcurl has no more to say than its code.
    var complaint: String { String(cString: self.errorBuffer) }

    func finish(_ outcome: Outcome) { self.continuation.resume(returning: outcome) }

    /// Puts everything back to before the first byte, for another attempt.
    func rewind() {
        self.headers = Headers()
        self.body = []
        self.headerBytes = 0
        self.wireBytes = 0
        self.sent = 0
        self.hasAnswer = false
        self.hasWholeHeader = false
        self.violation = nil
        self.errorBuffer.pointee = 0
        self.pace = Pace(limits: self.limits)
    }

    /// - Returns: whether the transfer goes on.
    func receive(header line: UnsafeRawBufferPointer) -> Bool {
        self.hasAnswer = true
        self.pace.moved(line.count, isAnswer: true)
        self.headerBytes += line.count
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            // A new answer begins: after 100 Continue, for one.
            self.headers = Headers()
            self.body = []
            self.hasWholeHeader = false
        } else if text == "\r\n" || text == "\n" {
            self.hasWholeHeader = true
        } else if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
            let name = HeaderName(String(text[..<colon]))
            self.headers.append(name, Self.trim(text[colon...].dropFirst()))
        }
        guard self.headerBytes <= self.limits.headerBytes, self.headers.fields.count <= self.limits.headerFields else {
            self.violation = .tooLarge
            return false
        }
        return true
    }

    /// - Returns: whether the transfer goes on.
    func receive(body piece: UnsafeRawBufferPointer) -> Bool {
        self.hasAnswer = true
        self.pace.moved(piece.count, isAnswer: true)
        guard self.body.count + piece.count <= self.limits.bodyBytes else {
            self.violation = .tooLarge
            return false
        }
        if self.body.isEmpty, let length = self.headers[.contentLength].flatMap({ Int($0) }) {
            self.body.reserveCapacity(min(max(length, piece.count), Self.bytesReservedAtMost))
        }
        self.body.append(contentsOf: piece)
        return true
    }

    /// Takes note of bytes as they came, before anything is read of them.
    ///
    /// What stands between the pieces of a body reaches nobody else, and has no end of its own.
    func arrived(_ count: Int) {
        self.wireBytes += count
        if self.wireBytes > self.limits.wireBytes { self.violation = .tooLarge }
    }

    /// Copies the next bytes of the request's body.
    func send(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, self.request.body.count - self.sent)
        guard count > 0 else { return 0 }
        self.request.body.withUnsafeBytes { body in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: body[self.sent..<self.sent + count]))
        }
        self.sent += count
        self.pace.moved(count, isAnswer: false)
        return count
    }

    func seek(to offset: Int) -> Bool {
        guard (0...self.request.body.count).contains(offset) else { return false }
        self.sent = offset
        return true
    }

    /// Whether the transfer is too slow at this moment.
    ///
    /// - Parameter isUnderWay: whether a connection stands and the request may go out on it.
    func isStalled(at now: Double, isUnderWay: Bool) -> Bool {
        self.pace.isStalled(at: now, isUnderWay: isUnderWay, isSending: self.sent < self.request.body.count)
    }

    /// For how long which part of the exchange was waited, for a person to read.
    func lateness(isConnected: Bool) -> String {
        isConnected
            ? "the answer was not whole after \(Self.words(self.limits.totalSeconds))"
            : "no connection stood after \(Self.words(self.limits.connectSeconds))"
    }

    /// The same for a transfer that is stalled.
    var stall: String {
        self.hasAnswer || self.sent < self.request.body.count
            ? "less than \(Int(self.limits.slowBytesPerSecond)) bytes a second for \(Self.words(self.limits.slowSeconds))"
            : "not a word for \(Self.words(self.limits.firstByteSeconds))"
    }

    private static func words(_ seconds: Double) -> String { "\(Int(seconds.rounded())) seconds" }

    private static func trim(_ text: Substring) -> String {
        var text = text
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}

/// Tells a server that thinks from one that is stuck.
///
/// Until the first byte of the answer, only silence as a whole counts; while bytes go either way, their average does.
private struct Pace {
    private let limits: TransportLimits
    private var start: Double?
    private var windowStart = 0.0
    private var windowBytes = 0
    private var hasAnswer = false

    init(limits: TransportLimits) { self.limits = limits }

    mutating func moved(_ count: Int, isAnswer: Bool) {
        self.windowBytes += count
        if isAnswer, !self.hasAnswer {
            self.hasAnswer = true
            // The answer's own window begins now, not when the wait for it did.
            self.windowStart = 0
        }
    }

    mutating func isStalled(at now: Double, isUnderWay: Bool, isSending: Bool) -> Bool {
        guard isUnderWay else { return false }
        let start = self.start ?? now
        self.start = start
        if !self.hasAnswer, !isSending { return now - max(start, self.windowStart) > self.limits.firstByteSeconds }
        guard self.windowStart > 0 else {
            self.windowStart = now
            self.windowBytes = 0
            return false
        }
        guard now - self.windowStart >= self.limits.slowSeconds else { return false }
        let isSlow = Double(self.windowBytes) < self.limits.slowBytesPerSecond * self.limits.slowSeconds
        self.windowStart = now
        self.windowBytes = 0
        return isSlow
    }
}
