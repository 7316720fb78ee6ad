import RemindavICalendar
import RemindavReminders

/// The identifiers that an export to Taskwarrior derives from a UID.
enum TaskwarriorIdentifier {
    /// The UID as Taskwarrior's identifier, which must be a UUID; of any other UID, a UUID that is derived from it.
    static func task(_ uid: String) -> String {
        let lengths = uid.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
        let isUUID =
            lengths == [8, 4, 4, 4, 12] && uid.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.isHexadecimalDigit }
        return isUUID ? uid.lowercased() : NameUUID.make(uid)
    }

    /// The identifier of a repeating reminder that is no task of Taskwarrior.
    static func series(_ uid: String) -> String { NameUUID.make("\(uid)\nseries") }

    /// All identifiers that an export may have derived from the UID.
    static func all(of uid: String) -> [String] { [self.task(uid), self.series(uid)] }
}
