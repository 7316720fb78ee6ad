internal import Glibc
internal import RemindavHTTP

/// One exchange in progress; the caller creates it, and from then on only the driver's thread uses it.
///
/// `@unchecked Sendable`: the transfer is handed over once, through the driver's queue.
final class Transfer: @unchecked Sendable {
    typealias Outcome = Result<Response, TransportError>
    let id: UInt64
    let request: Request
    let host: String
    private let continuation: CheckedContinuation<Outcome, Never>
    let limits: TransportLimits
    private(set) var received = Received()
    private var sent = 0
    var attempts = 0
    /// The decision about the address of the server; `nil` allows every address.
    let gate: AddressGate?
    let errorBuffer: UnsafeMutablePointer<CChar>
    private var pace: Pace

    struct Received {
        fileprivate(set) var headers = Headers()
        fileprivate(set) var body: [UInt8] = []
        fileprivate var headerBytes = 0
        fileprivate var wireBytes = 0
        /// Whether any byte has arrived; from then on, the request is never repeated.
        fileprivate(set) var hasAnswer = false
        /// Whether the empty line after the header fields has arrived; libcurl does not require this line.
        fileprivate(set) var hasWholeHeader = false
        /// The reason why a callback stopped the transfer; libcurl reports only that a callback stopped it.
        fileprivate(set) var violation: TransportError.Code?
    }

    init(
        id: UInt64,
        request: Request,
        host: String,
        limits: TransportLimits,
        addresses: AddressPolicy? = nil,
        continuation: CheckedContinuation<Outcome, Never>
    ) {
        self.id = id
        self.request = request
        self.host = host
        let limits = limits.limits(for: request)
        self.limits = limits
        self.continuation = continuation
        self.gate = addresses.map { AddressGate($0, url: request.url) }
        self.pace = Pace(limits: limits)
        self.errorBuffer = .allocate(capacity: Self.errorBytes)
        self.errorBuffer.initialize(repeating: 0, count: Self.errorBytes)
    }

    deinit { self.errorBuffer.deallocate() }
    /// The size of the error buffer that libcurl requires (`CURL_ERROR_SIZE`).
    private static let errorBytes = 256

    /// The largest memory reservation, in bytes, for a body with an announced size: enough for 10,000 reminders.
    private static let bytesReservedAtMost = 16 << 20
    /// The error message of libcurl; empty when libcurl has only an error code.
    var complaint: String { String(cString: self.errorBuffer) }
    func finish(_ outcome: Outcome) { self.continuation.resume(returning: outcome) }
    func fail(_ code: TransportError.Code, detail: String = "") {
        self.finish(.failure(TransportError(code, host: self.host, detail: detail)))
    }

    func rewind() {
        self.received = Received()
        self.sent = 0
        self.errorBuffer.pointee = 0
        self.pace = Pace(limits: self.limits)
    }

    func receive(header line: UnsafeRawBufferPointer) -> Bool {
        self.received.hasAnswer = true
        self.pace.moved(line.count, isAnswer: true)
        self.received.headerBytes += line.count
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            // A new answer begins, for example after 100 Continue.
            self.received.headers = Headers()
            self.received.body = []
            self.received.hasWholeHeader = false
        } else if text == "\r\n" || text == "\n" {
            self.received.hasWholeHeader = true
        } else if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
            let name = HeaderName(String(text[..<colon]))
            self.received.headers.append(name, String(text[colon...].dropFirst().trimmed))
        }
        guard self.received.headerBytes <= self.limits.headerBytes,
            self.received.headers.fields.count <= self.limits.headerFields
        else {
            self.received.violation = .tooLarge
            return false
        }
        return true
    }

    func receive(body piece: UnsafeRawBufferPointer) -> Bool {
        self.received.hasAnswer = true
        self.pace.moved(piece.count, isAnswer: true)
        guard self.received.body.count + piece.count <= self.limits.bodyBytes else {
            self.received.violation = .tooLarge
            return false
        }
        if self.received.body.isEmpty, let length = self.received.headers[.contentLength].flatMap({ Int($0) }) {
            self.received.body.reserveCapacity(min(max(length, piece.count), Self.bytesReservedAtMost))
        }
        self.received.body.append(contentsOf: piece)
        return true
    }

    /// Counts all received bytes with the framing of a body: no other callback sees the framing, which can be endless.
    func arrived(_ count: Int) {
        self.received.wireBytes += count
        if self.received.wireBytes > self.limits.wireBytes { self.received.violation = .tooLarge }
    }

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

    /// - Parameter isUnderWay: whether a connection exists and the request may be sent on it.
    func isStalled(at now: Double, isUnderWay: Bool) -> Bool {
        self.pace.isStalled(at: now, isUnderWay: isUnderWay, isSending: self.sent < self.request.body.count)
    }

    func lateness(isConnected: Bool) -> String {
        isConnected
            ? "the answer was not complete after \(Self.words(self.limits.totalSeconds))"
            : "there was no connection after \(Self.words(self.limits.connectSeconds))"
    }

    var stall: String {
        self.received.hasAnswer || self.sent < self.request.body.count
            ? "less than \(Int(self.limits.slowBytesPerSecond)) bytes a second for \(Self.words(self.limits.slowSeconds))"
            : "no data for \(Self.words(self.limits.firstByteSeconds))"
    }

    private static func words(_ seconds: Double) -> String { "\(Int(seconds.rounded())) seconds" }
}

/// Detects a stuck server: before the answer, a long silence is allowed; during a transfer, the average speed counts.
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
            // The time over which the speed of the answer is measured begins now, after the wait for its first byte.
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
