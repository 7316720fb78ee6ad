import RemindavICalendar

/// A point on the earth (GEO, RFC 5545 §3.8.1.6).
public struct Coordinates: Hashable, Sendable {
    /// The latitude in degrees, as written; north is positive.
    public let latitude: String
    /// The longitude in degrees, as written; east is positive.
    public let longitude: String

    init?(_ text: String, separator: Character) {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false).map { String($0).trimmingSpaces }
        guard parts.count >= 2, Self.isNumber(parts[0], upTo: 90), Self.isNumber(parts[1], upTo: 180) else {
            return nil
        }
        self.latitude = parts[0]
        self.longitude = parts[1]
    }

    private static func isNumber(_ text: String, upTo limit: Double) -> Bool {
        guard text.utf8.count <= 20, text.utf8.allSatisfy({ "0123456789.+-".utf8.contains($0) }) else { return false }
        return Double(text).map { abs($0) <= limit } ?? false
    }
}

extension Reminder {
    /// The place in words (LOCATION, RFC 5545 §3.8.1.7); `nil` when the reminder has none.
    public var location: String? { self.text(of: .location) }

    /// The coordinates (GEO); `nil` when they are missing or cannot be read.
    public var coordinates: Coordinates? {
        (self.todo.first(.geo) ?? self.main.first(.geo)).flatMap { Coordinates($0.value, separator: ";") }
    }

    /// The distinct titles of Apple's places in the to-do and its alarms, in order (X-APPLE-STRUCTURED-LOCATION).
    public var applePlaces: [String] {
        var seen: Set<String> = []
        return ([self.todo] + self.todo.components(.valarm))
            .flatMap { $0.all(.appleStructuredLocation) }
            .compactMap { ($0.parameter(.appleTitle) ?? $0.parameter(.appleTitleOld))?.nonBlank }
            .filter { seen.insert($0).inserted }
    }
}

extension String {
    var nonBlank: String? { self.trimmingWhiteSpace.isEmpty ? nil : self }
}

extension Name {
    fileprivate static let appleStructuredLocation = Name("X-APPLE-STRUCTURED-LOCATION") ?? .location
    fileprivate static let appleTitle = Name("X-TITLE") ?? .value
    fileprivate static let appleTitleOld = Name("X-APPLE-TITLE") ?? .value
}
