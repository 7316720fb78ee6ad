import HTTP
import ICalendar

/// The content coding of an answer (RFC 9110 §8.4.1).
enum ContentCoding: Sendable {
    case identity, gzip

    /// The coding for a request: gzip if the client prefers it to identity.
    ///
    /// Outlook always gets identity: its subscriptions fail with gzip although it asks for it.
    init(_ headers: Headers) {
        let agent = headers[.userAgent] ?? ""
        let isOutlook = agent.contains("Outlook") || agent.contains("Microsoft Office")
        self = !isOutlook && AcceptEncoding(headers.values(of: "Accept-Encoding")).prefersGzip ? .gzip : .identity
    }
}

/// The value of Accept-Encoding (RFC 9110 §12.5.3).
struct AcceptEncoding {
    /// The weight of each named coding in thousandths, by its name in lower case.
    private var weights: [String: Int] = [:]

    // Accept-Encoding  = #( codings [ weight ] )
    // codings          = content-coding / "identity" / "*"
    init(_ fields: [String]) {
        for element in fields.flatMap({ $0.split(separator: ",") }) {
            let parts = element.split(separator: ";").map { String($0).trimmingSpaces.lowercased() }
            guard let coding = parts.first, !coding.isEmpty else { continue }
            self.weights[coding] = parts.dropFirst().first.map(Self.weight) ?? 1000
        }
    }

    /// Whether gzip is accepted and identity is not preferred.
    ///
    /// A coding that is not named has the weight of `*`. Without `*`, identity is accepted, with the least preference.
    var prefersGzip: Bool {
        let gzip = self.weights["gzip"] ?? self.weights["x-gzip"] ?? self.weights["*"] ?? 0
        return gzip > 0 && gzip >= self.weights["identity"] ?? 0
    }

    // weight = OWS ";" OWS "q=" qvalue;  an invalid weight counts as 0
    private static func weight(_ text: String) -> Int {
        guard text.hasPrefix("q="), let value = Double(text.dropFirst(2)), (0...1).contains(value) else { return 0 }
        return Int(value * 1000)
    }
}
