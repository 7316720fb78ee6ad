/// The number on the program's icon, for docks that follow Unity's launcher API (Ubuntu's, Dash to Dock, Plasma's).
///
/// It is a signal to whoever listens, and nobody answers it. A dock forgets the number when the connection ends that has
/// told it.
struct LauncherCount: Hashable, Sendable {
    static let interface = "com.canonical.Unity.LauncherEntry"
    static let member = "Update"
    /// Of the program's own choice: a dock goes by the application.
    static let path = "/com/canonical/unity/launcherentry/remindav"
    /// The desktop file that 'remindav service install' writes.
    static let application = "application://remindav.desktop"

    /// What it shall be; `nil` before anybody has said so.
    private(set) var wanted: Int?
    /// What was told on this connection; a dock that was told nothing shows none.
    private var told = 0

    mutating func want(_ count: Int) { self.wanted = count }

    /// Who was told is gone, or may be.
    mutating func forget() { self.told = 0 }

    /// What is to be told now; `nil` when that is known.
    mutating func toTell() -> Int? {
        guard let wanted, wanted != self.told else { return nil }
        self.told = wanted
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
