internal import RemindavHTTP

/// One request and its result, for a log; it contains no header fields and no body.
public struct ExchangeNote: Hashable, Sendable, CustomStringConvertible {
    /// The HTTP method, or `SRV` for a DNS query.
    public let method: String
    /// The requested address, or the name in the DNS query.
    public let url: String
    /// The HTTP status; `nil` when the server did not answer, and for a DNS query.
    public let status: Int?
    /// The target of a redirect, the schemes in a 401, the hosts that DNS names, or the failure; else `nil`.
    public let remark: String?

    /// One line, such as `PROPFIND https://dav.example.org/ 301, redirects to /dav/`.
    public var description: String {
        let outcome = [self.status.map { "\($0)" }, self.remark].compactMap { $0 }.joined(separator: ", ")
        return "\(self.method) \(self.url.excerpt) \(outcome)"
    }
}

extension ExchangeNote {
    init(_ request: Request, _ response: Response) {
        let remark: String?
        switch response.status {
        case 300..<400: remark = response.headers[.location].map { "redirects to \($0.excerpt)" }
        case 401:
            let schemes = Challenge.read(response.headers).map { String($0.scheme.prefix(20)) }
            remark = schemes.isEmpty ? "requests no sign-in method" : "requests \(schemes.enumeration)"
        default: remark = nil
        }
        self.init(method: request.method, url: request.url, status: response.status, remark: remark)
    }

    init(service name: String, _ hosts: [String]) {
        let remark = hosts.isEmpty ? "names no host" : "names \(hosts.enumeration)"
        self.init(method: "SRV", url: name, status: nil, remark: remark)
    }

    init(_ request: Request, _ error: TransportError) {
        self.init(method: request.method, url: request.url, status: nil, remark: error.code.rawValue)
    }
}

/// Counts the requests and bytes of a task and its child tasks; ``current`` is task-local.
public actor Traffic {
    /// The counter of this task; `nil` when nothing is counted.
    @TaskLocal public static var current: Traffic?

    /// The number of requests; a request that was sent again after a redirect counts again.
    public private(set) var requests = 0
    /// The bytes of all sent bodies.
    public private(set) var bytesSent = 0
    /// The bytes of all received bodies, after decompression.
    public private(set) var bytesReceived = 0
    /// Creates a counter at zero.
    public init() {}

    func sent(_ request: Request) {
        self.requests += 1
        self.bytesSent += request.body.count
    }

    func received(_ response: Response) { self.bytesReceived += response.body.count }
}
