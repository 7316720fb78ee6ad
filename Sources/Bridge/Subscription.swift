/// The addresses of a feed for calendar programs.
package struct Subscription: Hashable, Sendable {
    package let address: String
    /// The address with the scheme `webcal`, which makes a desktop or phone ask whether to subscribe.
    package let webcal: String
    /// Whether programs on other computers can use the address.
    package let isPublic: Bool

    /// - Parameter path: the path of the feed, which begins with a slash.
    package init(_ path: String, site: FeedSite?, port: UInt16) {
        self.address = site?.address(path) ?? "http://127.0.0.1:\(port)\(path)"
        self.webcal = "webcal:" + self.address.drop { $0 != "/" }
        self.isPublic = site != nil
    }

    /// How to subscribe in the usual programs, and when changes appear there.
    package static let programs = [
        "Google Calendar: Other calendars, +, From URL; paste the https address. Changes appear after 4 to 24 hours.",
        "Outlook: Add calendar, Subscribe from web; paste the https address. Changes appear after 3 to 24 hours.",
        "Apple: open the webcal address, or in Calendar: File, New Calendar Subscription. You choose the interval.",
        "Thunderbird: New Calendar, On the Network; paste the https address. Changes appear after 30 minutes.",
    ]
}
