package import ICalendar
package import Store

/// Who wins when both sides gave one property another value.
package enum ConflictPolicy: Sendable {
    /// The side whose to-do was changed last; the server's when that cannot be told, as it is what others see already.
    case lastModifiedWins

    /// The side whose value is kept.
    ///
    /// The other's is remembered as a ``Clash``.
    ///
    /// - Parameters:
    ///   - local: when the local to-do was last changed, `nil` when it does not say.
    ///   - remote: the same of the server's.
    package func winner(local: Instant?, remote: Instant?) -> SyncSide {
        switch self {
        case .lastModifiedWins:
            guard let local, let remote else { return .remote }
            return local > remote ? .local : .remote
        }
    }
}

/// A property that both sides changed differently, and what became of it.
package struct Clash: Hashable, Sendable {
    /// The properties' name or names, in capitals.
    package let property: String
    /// The local lines, unfolded, without their names where there is one; empty when the local side took it away.
    package let localValue: String
    /// The server's, in the same form.
    package let remoteValue: String
    /// Whose value was kept.
    package let winner: SyncSide

    /// A clash that was decided.
    package init(property: String, localValue: String, remoteValue: String, winner: SyncSide) {
        self.property = property
        self.localValue = localValue
        self.remoteValue = remoteValue
        self.winner = winner
    }
}
