import RemindavICalendar

/// The name of a feed.
enum FeedName {
    /// The maximum length in characters; calendar programs show much less in their list of calendars.
    static let maximumCharacters = 100

    /// The name trimmed; throws ``UseCaseError/Code/badFeedName``.
    static func checked(_ text: String) throws(UseCaseError) -> String {
        let name = text.trimmingSpaces
        let isPlain = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        // A number would be read as the number of a feed.
        guard !name.isEmpty, name.count <= Self.maximumCharacters, isPlain, Int64(name) == nil else {
            throw UseCaseError(.badFeedName, subject: text)
        }
        return name
    }
}
