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

    /// The bytes of ``rows``.
    ///
    /// A search in strings compares characters, and would need a quarter of the processor time of an answer with status
    /// 304.
    private static let patterns = Self.rows.map { row in
        (program: row.program, parts: row.parts.map { Array($0.utf8) }, starts: row.starts.map { Array($0.utf8) })
    }

    package init(userAgent: String) {
        let agent = userAgent.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        let row = Self.patterns.first { row in
            row.parts.contains { agent.contains(part: $0) } || row.starts.contains { agent.starts(with: $0) }
        }
        self = row?.program ?? .other
    }
}

extension Array<UInt8> {
    /// Whether the bytes of a part, which is not empty, follow each other in these bytes.
    fileprivate func contains(part: [UInt8]) -> Bool {
        self.indices.contains { self[$0] == part.first && self[$0...].starts(with: part) }
    }
}
