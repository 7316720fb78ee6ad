package import ICalendar
package import Store

/// Who wins when both sides gave one property another value.
package enum ConflictPolicy: String, Hashable, Sendable, CaseIterable {
    /// The side whose to-do was changed last; the server's when that cannot be told, as it is what others see already.
    case lastModifiedWins = "newer"
    /// Always this side.
    case here
    /// Always the server.
    case server

    /// The side whose value is kept.
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

/// A property that both sides changed differently, and what became of it.
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
    /// Whose value was kept.
    package let winner: SyncSide
}
