/// The number on the program's icon, for docks that follow Unity's launcher API (Ubuntu's, Dash to Dock, Plasma's).
///
/// It is a broadcast signal without an answer. A dock drops the number when the sender's connection ends.
struct LauncherCount: Hashable, Sendable {
    static let interface = "com.canonical.Unity.LauncherEntry"
    static let member = "Update"
    /// Freely chosen: a dock identifies the program by the application.
    static let path = "/com/canonical/unity/launcherentry/remindav"
    /// The desktop file that 'remindav service install' writes.
    static let application = "application://remindav.desktop"
    private(set) var wanted: Int?
    /// The number that was sent on this connection; without one, a dock shows none.
    private var sent = 0
    mutating func want(_ count: Int) { self.wanted = count }

    /// Forgets the sent number, because the docks are gone or may be.
    mutating func forget() { self.sent = 0 }

    mutating func removeUnsent() -> Int? {
        guard let wanted, wanted != self.sent else { return nil }
        self.sent = wanted
        return wanted
    }

    // Update (STRING app_uri, a{sv} properties)
    static func values(_ count: Int) -> [BusValue] {
        [
            .string(self.application),
            .dictionary([
                BusValue.Entry("count", .long(Int64(count))), BusValue.Entry("count-visible", .boolean(count > 0)),
            ]),
        ]
    }
}
