package import Reminders
import Store

extension UseCases {
    /// The colours that somebody has given to labels; which reminders have them is not looked at.
    package func labelColors() throws -> [LabelKey: LabelColor] {
        try self.store.read { snapshot throws(DatabaseError) in try snapshot.knownLabels() }.mapValues(\.color)
    }
}
