import RemindavHTTP

/// The fields of a form or a query (`application/x-www-form-urlencoded`, WHATWG URL §5.1).
struct FormFields: Sendable {
    private var fields: [(name: String, value: String)] = []
    /// The fields in their order.
    var pairs: [(name: String, value: String)] { self.fields }
    /// The maximum number of fields; the largest form has about thirty.
    private static let maximumCount = 200

    /// No fields.
    static let none = FormFields()

    private init() {}

    /// Fields that were read from a form with files.
    init(_ fields: [(name: String, value: String)]) { self.fields = fields }

    /// `nil` if there are too many fields.
    init?(_ text: some StringProtocol) {
        for pair in text.split(separator: "&") {
            guard self.fields.count < Self.maximumCount else { return nil }
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            self.fields.append((Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : ""))
        }
    }

    /// Invalid UTF-8 becomes U+FFFD.
    private static func decoded(_ text: some StringProtocol) -> String {
        let bytes = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(decoding: PercentCoding.decode(String(decoding: bytes, as: UTF8.self)), as: UTF8.self)
    }

    /// The first value of a field; `nil` without the field.
    subscript(name: String) -> String? { self.fields.first { $0.name == name }?.value }

    /// The first value of a field as a number; `nil` without the field, and for another text.
    func number(_ name: String) -> Int64? { self[name].flatMap { Int64($0) } }

    /// All values of a field, in their order.
    func values(of name: String) -> [String] { self.fields.filter { $0.name == name }.map(\.value) }
}
