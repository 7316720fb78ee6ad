import RemindavHTTP
import RemindavHost

/// A fault of one request.
enum Fault: String, CaseIterable {
    case refused, resetBefore, resetAfter
    case cutHead, cutFirstByte, cutHalf, cutLastByte, wrongLength, slow
    case status401, status403, status404, status405, status409, status412, status423
    case status429Seconds, status429Date, status500, status502, status503, status504, status507
    case webPage, brokenXML, redirectLoop, cutTexts

    /// Failures of a server under load: each may be one of several in a row, and none of them ends a sync.
    static let burst: [Self] = [.status500, .status502, .status503, .status504, .resetBefore]

    /// The answer instead of the server's.
    private var refusal: Response? {
        switch self {
        case .status401: Response(status: 401, headers: [.wwwAuthenticate: "Basic realm=\"x\""])
        case .status403: Response(status: 403)
        case .status404: Response(status: 404)
        case .status405: Response(status: 405)
        case .status409: Response(status: 409)
        case .status412: Response(status: 412)
        case .status423: Response(status: 423)
        case .status429Seconds: Response(status: 429, headers: [.retryAfter: "3600"])
        case .status429Date: Response(status: 429, headers: [.retryAfter: "Fri, 20 Nov 2026 21:00:00 GMT"])
        case .status500: Response(status: 500)
        case .status502: Response(status: 502)
        case .status503: Response(status: 503)
        case .status504: Response(status: 504)
        case .status507: Response(status: 507)
        case .webPage:
            Response(
                status: 200,
                headers: [.contentType: "text/html"],
                body: Array("<!DOCTYPE html><html><body>Sign in to this network</body></html>".utf8)
            )
        default: nil
        }
    }

    /// The answer to the client; the server may have done the request or not.
    func answer(_ request: Request, by server: MemoryServer) throws(TransportError) -> Response {
        if let refusal {
            if request.method == "MOVE" { server.refuseRestoration(request, refusal.status) }
            return refusal
        }
        switch self {
        case .refused: throw TransportError(.cannotConnect)
        case .resetBefore: throw TransportError(.interrupted)
        case .redirectLoop: return Response(status: 302, headers: [.location: request.url])
        default: break
        }
        var answer = server.answer(request)
        switch self {
        case .slow: throw TransportError(.timeout)
        case .cutHead: throw TransportError(.protocolViolation)
        // The transport notices a length that differs from the body.
        case .resetAfter, .cutFirstByte, .cutHalf, .cutLastByte, .wrongLength: throw TransportError(.interrupted)
        case .cutTexts where answer.status == 207 || request.method == "GET" && answer.status == 200:
            answer = answer.withCutTexts
        case .brokenXML where answer.status == 207: answer.body = Array(answer.body.dropLast(answer.body.count / 3))
        default: break
        }
        return answer
    }
}

/// The disturbances of one run of a sync.
struct Disturbance: Sendable {
    /// Faults by the request's number, from 0.
    var faults: [Int: Fault] = [:]
    /// A fault of every request.
    var always: Fault?
    /// The program is killed before this request.
    var killBefore: Int?
    /// The program is killed after the server has answered this request, and before it receives the answer.
    var killAfter: Int?
    /// The program is killed before this write of the store is durable.
    var killAtWrite: Int?
    /// Another event happens before this request.
    var meanwhile: Int?
    /// Whether the faults are those of a server under load, none of which ends a sync.
    var isBurst = false
    /// The program is killed while it sends a whole list, and the server completes that before this request of the next
    /// run.
    var finishesFillBefore: Int?
    /// Number of PUTs that are answered with 500 without a reason, as by a locked database.
    var failingPuts = 0
    /// The worker stops for a while, and another one takes over.
    var freeze: Freeze?

    var isNone: Bool {
        self.faults.isEmpty && self.always == nil && self.killBefore == nil && self.killAfter == nil
            && self.killAtWrite == nil && self.meanwhile == nil && self.finishesFillBefore == nil
            && self.failingPuts == 0 && self.freeze == nil
    }
}

/// The connection of one machine to the server, with its faults.
///
/// Everything runs on one thread (``SingleThread``), which makes this class Sendable.
final class Wire: Transport, @unchecked Sendable {
    let server: MemoryServer
    private(set) var trouble = Disturbance()
    private var meanwhile: () async -> Void = {}
    /// Whether the program is killed: none of its requests and writes has an effect.
    private(set) var isDead = false
    private(set) var requests = 0
    private(set) var writes = 0
    /// The program's clock for pauses, in which only a pause takes time.
    private(set) var uptime = Duration.zero
    /// The time of the last failed attempt of a request, by its method and address.
    private var failedAt: [String: Duration] = [:]
    /// Requests that were sent again without a pause after a failure of the server.
    private(set) var hastyRequests = 0
    /// Addresses that the run has written.
    private var stored: Set<String> = []
    /// Whether a request for such a text failed.
    private(set) var hasFailedReadBack = false
    /// The shortest pause after a failure under load.
    private static let shortestPause = Duration.milliseconds(200)
    /// The UIDs that the last disturbed run has sent.
    private(set) var written: Set<String> = []
    var log: (String) -> Void = { _ in }
    /// A whole list that is still being sent, and the request of the next run before which it arrives.
    private var late: (request: Request, number: Int)?

    /// Lets another worker take over; `arrive` delivers the present request to the server.
    var takeOver: (_ arrive: (() -> Void)?) -> Void = { _ in }
    /// Requests that may change something on the server.
    var changes = 0
    /// Transactions that were begun.
    var beginnings = 0
    /// Whether another worker has taken over.
    var isTakenOver = false
    /// Changing requests that arrived between the freeze and the takeover.
    private(set) var lateChanges = 0
    /// Requests since the first write that was refused.
    var requestsAfterRefusal: Int?
    /// Broken rules of the leases.
    var violations: [String] = []

    /// - Parameter last: the connection of the last run of this machine.
    init(_ server: MemoryServer, after last: Wire? = nil) {
        self.server = server
        guard let last else { return }
        self.log = last.log
        (self.late, last.late) = (last.late, nil)
    }

    /// The server completes the request that was sent before the kill.
    private func arrive() {
        guard let late else { return }
        self.late = nil
        self.log("    the whole list arrives late -> \(self.server.answer(late.request).status)")
    }

    /// A new process.
    func begin(_ trouble: Disturbance, meanwhile: @escaping () async -> Void = {}) {
        self.trouble = trouble
        self.meanwhile = meanwhile
        if !trouble.isNone { self.written = [] }
        self.isDead = false
        self.requests = 0
        self.writes = 0
        self.failedAt = [:]
        self.hastyRequests = 0
        self.stored = []
        self.hasFailedReadBack = false
        self.changes = 0
        self.beginnings = 0
        self.isTakenOver = false
        self.lateChanges = 0
        self.requestsAfterRefusal = nil
        self.violations = []
    }

    /// The program pauses.
    func pause(_ time: Duration) { self.uptime += time }

    func end() {
        // A run with fewer requests was already complete.
        if self.trouble.finishesFillBefore == nil { self.arrive() }
        self.begin(Disturbance())
    }

    /// Called by the store before a write.
    ///
    /// - Returns: whether it is allowed.
    func mayWrite() -> Bool {
        defer { self.writes += 1 }
        if self.trouble.killAtWrite == self.writes {
            self.isDead = true
            self.log("    killed before write \(self.writes) is kept")
        }
        return !self.isDead
    }

    func send(_ request: Request) async throws(TransportError) -> Response {
        let number = self.requests
        self.requests += 1
        if self.trouble.killBefore == number {
            self.isDead = true
            self.log("    killed before request \(number)")
        }
        guard !self.isDead else { throw TransportError(.cancelled) }
        // Others may have been pending when one failed.
        let name = "\(request.method) \(request.url)"
        if let failure = self.failedAt.removeValue(forKey: name), self.uptime < failure + Self.shortestPause {
            self.hastyRequests += 1
        }
        if let late, late.number <= number { self.arrive() }
        if let place = self.trouble.finishesFillBefore, request.method == "PUT", request.url.hasSuffix("/") {
            self.late = (request, place)
            self.isDead = true
            self.log("    \(number) \(request.method) \(request.url): killed while it is sent")
            throw TransportError(.cancelled)
        }
        if self.trouble.meanwhile == number { await self.meanwhile() }
        if !self.trouble.isNone, request.method == "PUT", let text = CalendarText(request.body) {
            self.written.insert(text.uid)
        }
        if self.isFrozen(in: request, number) {
            var answer: Result<Response, TransportError> = .failure(TransportError(.timeout))
            self.takeOver {
                if !LeasedTransport.readingMethods.contains(request.method) { self.lateChanges += 1 }
                answer = Result { () throws(TransportError) in try self.deliver(request, number, name) }
            }
            return try answer.get()
        }
        return try self.deliver(request, number, name)
    }

    /// The server's answer.
    private func deliver(_ request: Request, _ number: Int, _ name: String) throws(TransportError) -> Response {
        if request.method == "PUT", self.trouble.failingPuts > 0 {
            self.trouble.failingPuts -= 1
            self.log("    \(number) PUT \(request.url) -> 500, locked")
            return Response(status: 500, headers: [.contentType: "application/xml"], body: MemoryServer.isLocked)
        }
        var answer: Response
        do throws(TransportError) {
            if let fault = self.trouble.always ?? self.trouble.faults[number] {
                self.log("    \(fault.rawValue):")
                if request.method == "GET", self.stored.contains(request.url) { self.hasFailedReadBack = true }
                answer = try fault.answer(request, by: self.server)
            } else {
                answer = self.server.answer(request)
            }
        } catch {
            self.log("    \(number) \(request.method) \(request.url) -> \(error.code)")
            throw error
        }
        self.log("    \(number) \(request.method) \(request.url) -> \(answer.status)")
        if request.method == "PUT", answer.status < 300 { self.stored.insert(request.url) }
        if [500, 502, 503, 504].contains(answer.status) { self.failedAt[name] = self.uptime }
        if self.trouble.killAfter == number {
            self.isDead = true
            self.log("    killed before it hears the answer to request \(number)")
        }
        guard !self.isDead else { throw TransportError(.cancelled) }
        return answer
    }
}
