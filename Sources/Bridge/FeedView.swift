package import RemindavICalendar
package import RemindavJSON

/// A feed for the user.
package struct FeedView: Hashable, Sendable {
    package let id: Int64
    /// The name of the calendar.
    package let name: String
    /// The path `/feed/‹token›.ics`; `nil` except directly after creation, because the store only has the token's hash.
    package let path: String?
    package let list: String?
    package let labels: [String]
    package let style: FeedForm
    /// Whether the feed contains all data of reminders that are marked PRIVATE or CONFIDENTIAL.
    package let showsPrivate: Bool
    /// Whether the feed contains the alarms of the reminders instead of one alarm at each due time.
    package let showsAlarms: Bool
    package let createdAt: Instant
    /// The visits by each kind of program, with the latest first.
    package let visits: [Visit]
    /// The address to which the feed is pushed; `nil` for none.
    package let push: Push?

    /// The address of a file on a server that has the content of the feed.
    package struct Push: Hashable, Sendable {
        package let url: String
        package let user: String
        /// The source of the password, in words.
        package let passwordOrigin: String
        /// The time of the last success.
        package let at: Instant?
        /// The failure of the last attempt; `nil` after a success.
        package let error: FeedPushError.Code?
    }

    /// The visits by one kind of program.
    package struct Visit: Hashable, Sendable {
        /// The identifier of the kind of program: `google`, `outlook`, `apple`, `thunderbird` or `other`.
        package let program: String
        /// The kind of program in words.
        package let programName: String
        /// The time of the last visit.
        package let at: Instant
        /// The HTTP status of the last answer: 200, or 304 for an unchanged feed.
        package let status: Int
        /// The name that the program gave itself, without addresses.
        package let agent: String
        package let count: Int
    }
}

extension FeedView.Visit: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("program") { $0.program },
        JSONMember("at") { $0.at },
        JSONMember("status") { $0.status },
        JSONMember("agent") { $0.agent },
        JSONMember("count") { $0.count },
    ]
}

extension FeedView.Push: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("url") { $0.url },
        JSONMember("user") { $0.user },
        JSONMember("password") { $0.passwordOrigin },
        JSONMember("at") { $0.at },
        JSONMember("error") { $0.error?.identifier },
    ]
}
