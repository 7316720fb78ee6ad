/// The kind of program that visits a feed, according to its header User-Agent.
package enum SubscriberProgram: String, CaseIterable, Sendable {
    case google
    case outlook
    case apple
    case thunderbird
    case other

    /// Parts of User-Agent in lower case; the first row that fits decides.
    ///
    /// Outlook is before Apple because of `Outlook-iOS`. A browser on a Mac names `Mac OS X` too, but not at its start.
    private static let rows: [(program: Self, parts: [String], starts: [String])] = [
        (.google, ["google-calendar-importer", "googlebot", "google.com"], ["google"]),
        (.outlook, ["outlook", "microsoft office", "microsoft exchange", "microsoft.exchange"], []),
        (.thunderbird, ["thunderbird", "lightning/"], []),
        (
            .apple, ["dataaccessd", "calendaragent", "accountsd", "icloud"],
            ["ios/", "ipados/", "macos/", "mac os x/", "mac+os+x/"]
        ),
    ]

    package var words: String {
        switch self {
        case .google: "Google Calendar"
        case .outlook: "Outlook"
        case .apple: "Apple Calendar"
        case .thunderbird: "Thunderbird"
        case .other: "another program"
        }
    }

    package init(userAgent: String) {
        let agent = userAgent.lowercased()
        let row = Self.rows.first { row in
            row.parts.contains { agent.contains($0) } || row.starts.contains { agent.hasPrefix($0) }
        }
        self = row?.program ?? .other
    }
}
