package import RemindavICalendar
package import RemindavStore

/// The rule that decides which side wins if both sides changed one property to different values.
package enum ConflictPolicy: String, Hashable, Sendable, CaseIterable {
    /// The side with the later change wins.
    ///
    /// If a side does not state the time of its change, the server wins, because other programs already see its value.
    case lastModifiedWins = "newer"
    case here
    case server

    /// `local` and `remote` are the times of the last changes; `nil` when a side does not state the time.
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

/// A property that both sides changed to different values, with the side that wins.
package struct PropertyConflict: Hashable, Sendable {
    /// The value of the property on one side; empty when that side removed the property.
    package struct Value: Hashable, Sendable {
        /// The unfolded content lines, separated by line feeds.
        ///
        /// If the ``PropertyGroup`` has only one name and the component has only one property with this name, the text
        /// is the value of this property.
        package let text: String
        /// The original bytes of these content lines.
        package let lines: [UInt8]
    }

    /// The name of the property, in upper case.
    package let property: String
    package let component: ComponentPath
    package let local: Value
    package let remote: Value
    package let winner: SyncSide
}
