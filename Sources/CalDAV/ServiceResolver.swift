internal import HTTP

/// Asks DNS.
///
/// A protocol, because a test has no name server.
public protocol ServiceResolver: Sendable {
    /// The message that answers a question (RFC 1035 §4.1), `nil` when there is no answer in time.
    ///
    /// - Parameter type: the record's type: 33 for SRV, 16 for TXT.
    func answer(name: String, type: UInt16) async -> [UInt8]?
}

/// Where DNS says that a domain's calendars are (RFC 6764).
struct ServicePlace: Hashable {
    /// The host that SRV names, with the path that TXT names.
    let url: URL
    /// Whether TXT names a path.
    let hasPath: Bool

    /// The addresses to try there (RFC 6764 §6): the path, else where every server has its entry.
    var candidates: [URL] {
        self.hasPath
            ? [self.url] + Address.candidates(for: self.url.replacing(path: "/"))
            : Address.candidates(for: self.url)
    }

    /// More than any domain has; each costs requests.
    private static let maximumPlaces = 8

    /// Asks for `_caldavs`, and for `_caldav` where that is allowed, in the order in which they are to be tried.
    static func find(
        _ domain: String,
        by resolver: any ServiceResolver,
        allowsInsecure: Bool,
        using generator: inout some RandomNumberGenerator
    ) async -> [ServicePlace] {
        for (label, scheme) in [("_caldavs", "https")] + (allowsInsecure ? [("_caldav", "http")] : []) {
            let name = "\(label)._tcp.\(domain)"
            guard let message = await resolver.answer(name: name, type: DNSMessage.srv) else { continue }
            let records = ServiceRecord.inOrder(DNSMessage.services(message), using: &generator)
            guard !records.isEmpty else { continue }
            let path = await resolver.answer(name: name, type: DNSMessage.txt).flatMap { Self.path(in: $0) }
            return records.prefix(self.maximumPlaces).compactMap { record in
                URL("\(scheme)://\(record.target):\(record.port)\(path ?? "/")")
                    .map { Self.withoutUsualPort($0) }
                    .map { ServicePlace(url: $0, hasPath: path != nil) }
            }
        }
        return []
    }

    /// The value of `path` among the texts of a TXT record (RFC 6764 §4).
    private static func path(in message: [UInt8]) -> String? {
        let value = DNSMessage.texts(message).first { $0.lowercased().hasPrefix("path=") }?.dropFirst(5)
        return value.flatMap { $0.hasPrefix("/") ? String($0) : nil }
    }

    /// `https://host:443/` is displayed as `https://host/`.
    private static func withoutUsualPort(_ url: URL) -> URL {
        URL("\(url.origin)\(url.path)") ?? url
    }
}

/// Which host offers a service, and how much it wants to be asked (RFC 2782).
struct ServiceRecord: Hashable {
    let priority: UInt16
    let weight: UInt16
    let port: UInt16
    let target: String

    /// The records in the order in which they are to be tried: by priority, and within one by chance, the heavier the
    /// likelier (RFC 2782, "Usage rules").
    static func inOrder(
        _ records: [ServiceRecord],
        using generator: inout some RandomNumberGenerator
    ) -> [ServiceRecord] {
        var ordered: [ServiceRecord] = []
        for priority in Set(records.map(\.priority)).sorted() {
            // Those without weight first, so that a draw of 0 can find them.
            var rest = records.filter { $0.priority == priority }.sorted { $0.weight < $1.weight }
            while !rest.isEmpty {
                let draw = Int.random(in: 0...rest.reduce(0) { $0 + Int($1.weight) }, using: &generator)
                var sum = 0
                let index = rest.firstIndex { record in
                    sum += Int(record.weight)
                    return sum >= draw
                }
                ordered.append(rest.remove(at: index ?? 0))
            }
        }
        return ordered
    }
}
