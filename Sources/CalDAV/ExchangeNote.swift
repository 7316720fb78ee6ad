internal import HTTP

/// One request and its result, for a log of each step.
///
/// It holds neither header fields nor anything of a body.
public struct ExchangeNote: Hashable, Sendable, CustomStringConvertible {
    /// The method, or `SRV` for a question to DNS.
    public let method: String
    /// The address that was asked, or the name that DNS was asked about.
    public let url: String
    /// The status of the answer, `nil` when there was none.
    public let status: Int?
    /// Where a redirect leads, which schemes a 401 offers, or why there was no answer; `nil` when there is nothing more
    /// to say.
    public let remark: String?

    init(_ request: Request, _ response: Response) {
        self.method = request.method
        self.url = request.url
        self.status = response.status
        switch response.status {
        case 300..<400: self.remark = response.headers[.location].map { "leads to \($0.excerpt)" }
        case 401:
            let schemes = Challenge.read(response.headers).map { String($0.scheme.prefix(20)) }
            self.remark = schemes.isEmpty ? "asks for nothing" : "asks for \(schemes.enumeration)"
        default: self.remark = nil
        }
    }

    /// A question to DNS, and the hosts that it names.
    init(service name: String, _ hosts: [String]) {
        self.method = "SRV"
        self.url = name
        self.status = nil
        self.remark = hosts.isEmpty ? "names no host" : "names \(hosts.enumeration)"
    }

    init(_ request: Request, _ error: TransportError) {
        self.method = request.method
        self.url = request.url
        self.status = nil
        self.remark = error.code.rawValue
    }

    /// One line: `PROPFIND https://dav.example.org/ 301, leads to /dav/`.
    public var description: String {
        let outcome = [self.status.map { "\($0)" }, self.remark].compactMap { $0 }.joined(separator: ", ")
        return "\(self.method) \(self.url.excerpt) \(outcome)"
    }
}
