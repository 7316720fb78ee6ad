import RemindavHTTP

/// The values of the header Cookie (RFC 6265 §4.2).
struct Cookies {
    private var values: [String: String] = [:]

    init(_ headers: Headers) {
        for field in headers.values(of: .cookie) {
            for pair in field.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2 else { continue }
                self.values[parts[0].drop { $0 == " " }.description] = String(parts[1])
            }
        }
    }

    subscript(name: String) -> String? { self.values[name] }
}
