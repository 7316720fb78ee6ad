package import ICalendar
package import Store

/// The side that wins when both gave one property another value.
package enum ConflictPolicy: String, Hashable, Sendable, CaseIterable {
    /// The side with the later change; the server if that is unknown, because other programs see its value already.
    case lastModifiedWins = "newer"
    /// Always this side.
    case here
    /// Always the server.
    case server

    /// The winning side.
    ///
    /// The other's is remembered as a ``PropertyConflict``.
    ///
    /// - Parameters:
    ///   - local: when the local to-do was last changed, `nil` when it does not say.
    ///   - remote: the same of the server's.
    package func winner(local: Instant?, remote: Instant?) -> SyncSide {
        switch self {
        case .lastModifiedWins:
            guard let local, let remote else { return .remote }
            return local > remote ? .local : .remote
        case .here: return .local
        case .server: return .remote
        }
    }
}

/// A property that both sides changed differently, with the winner.
package struct PropertyConflict: Hashable, Sendable {
    /// The properties' name or names, in capitals.
    package let property: String
    /// Which component it is in.
    package let component: ComponentPath
    /// The local lines, unfolded, without their names where there is one; empty when the local side took it away.
    package let localValue: String
    /// The server's, in the same form.
    package let remoteValue: String
    /// The local lines as they stand; empty when the local side took them away.
    package let localLines: [UInt8]
    /// The server's.
    package let remoteLines: [UInt8]
    /// The side with the value that was kept.
    package let winner: SyncSide
}
