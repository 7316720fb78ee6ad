/// An unchanging state of a store during a ``ReminderStore/read(_:)``; the file of each record has its queries.
public class StoreSnapshot {
    package let database: any Database

    init(_ database: any Database) { self.database = database }
}

/// A transaction of a ``ReminderStore/write(_:_:)``; it sees its own changes.
public final class StoreTransaction: StoreSnapshot {
    private(set) var isDiscarded = false

    /// Makes the end of the `write` discard everything without an error, for a trial run or an interrupted import.
    public func discard() { self.isDiscarded = true }
}
