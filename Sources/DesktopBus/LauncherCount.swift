/// The number on the program's icon, for docks with Unity's launcher API (Ubuntu Dock, Dash to Dock, Plasma).
///
/// The number is sent as a broadcast signal without an answer. A dock removes it when the sender's connection ends.
struct LauncherCount: Hashable, Sendable {
    static let interface = "com.canonical.Unity.LauncherEntry"
    static let member = "Update"
    /// Any path is possible, because docks identify the program by ``application``.
    static let path = "/com/canonical/unity/launcherentry/remindav"
    /// The desktop file that `remindav service install` writes.
    static let application = "application://remindav.desktop"
    private(set) var wanted: Int?
    /// The number that was sent on this connection; at the start of a connection, docks show no number.
    private var sent = 0
    mutating func want(_ count: Int) { self.wanted = count }

    /// Forgets the sent number, because the docks that received it may be gone.
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
