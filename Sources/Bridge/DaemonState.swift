import RemindavICalendar
package import RemindavJSON
package import RemindavNotifications
import RemindavSQLiteStore
import RemindavStore

extension UseCases {
    package static func daemonIsRunning(in folder: String) -> Bool { DaemonLock.isHeld(folder: folder) }

    /// The last failure to show a notification; `nil` if there was none or its record cannot be read.
    package static func deliveryFailure(in folder: String) -> DeliveryFailure? {
        try? DeliveryStateFile.failure(folder: folder)
    }
}

extension DeliveryFailure: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("count") { $0.count },
        JSONMember("since") { $0.since },
        JSONMember("error") { $0.description },
    ]
}
