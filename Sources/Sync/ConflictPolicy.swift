package import ICalendar
package import Store

/// The side that wins when both gave one property another value.
package enum ConflictPolicy: String, Hashable, Sendable, CaseIterable {
    /// The side with the later change; the server if that is unknown, because other programs see its value already.
    case lastModifiedWins = "newer"
    case here
    case server

    /// `local` and `remote` are the times of the last changes; `nil` when a side states none.
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
    /// The property on one side; empty when that side removed it.
    package struct Value: Hashable, Sendable {
        /// Unfolded lines, without the name of a single property.
        package let text: String
        /// The same lines byte for byte.
        package let lines: [UInt8]
    }

    /// In capitals.
    package let property: String
    package let component: ComponentPath
    package let local: Value
    package let remote: Value
    package let winner: SyncSide
}
