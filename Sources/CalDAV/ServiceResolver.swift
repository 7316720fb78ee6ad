internal import RemindavHTTP

/// Sends DNS queries.
public protocol ServiceResolver: Sendable {
    /// The DNS answer (RFC 1035 §4.1) for a record type (33 for SRV, 16 for TXT); `nil` when none comes in time.
    func answer(name: String, type: UInt16) async -> [UInt8]?
}

extension ServiceResolver {
    /// Whether DNS names a CalDAV service for an email address or a plain domain (RFC 6764); `false` for other texts.
    public func hasCalDAVService(of address: String) async -> Bool {
        guard let domain = (try? Address(address))?.domain else { return false }
        var generator = SystemRandomNumberGenerator()
        return await !ServicePlace.find(domain, by: self, allowsInsecure: true, using: &generator).isEmpty
    }
}

/// The address of a domain's CalDAV service according to DNS (RFC 6764).
struct ServicePlace: Hashable {
    let url: URL
    let hasPath: Bool

    /// The URLs to try, in order: the path from DNS if DNS names one, then the usual paths of servers (RFC 6764 §6).
    var candidates: [URL] {
        self.hasPath
            ? [self.url] + Address.candidates(for: self.url.replacing(path: "/"))
            : Address.candidates(for: self.url)
    }

    /// The largest number of addresses to try, since each costs requests; a domain has fewer.
    private static let maximumPlaces = 8

    /// Queries `_caldavs`, and `_caldav` if unencrypted connections are allowed; the result is in the order to try.
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

    /// The value of `path` in a TXT record (RFC 6764 §4).
    private static func path(in message: [UInt8]) -> String? {
        let value = DNSMessage.texts(message).first { $0.lowercased().hasPrefix("path=") }?.dropFirst(5)
        return value.flatMap { $0.hasPrefix("/") ? String($0) : nil }
    }

    /// Removes the default port: `https://host:443/` becomes `https://host/`.
    private static func withoutUsualPort(_ url: URL) -> URL { URL("\(url.origin)\(url.path)") ?? url }
}

struct ServiceRecord: Hashable {
    let priority: UInt16
    let weight: UInt16
    let port: UInt16
    let target: String

    /// Orders records by priority, and within a priority at random in proportion to the weight (RFC 2782).
    static func inOrder(
        _ records: [ServiceRecord],
        using generator: inout some RandomNumberGenerator
    ) -> [ServiceRecord] {
        var ordered: [ServiceRecord] = []
        for priority in Set(records.map(\.priority)).sorted() {
            // Records with weight 0 come first, so that a draw of 0 can select them.
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
