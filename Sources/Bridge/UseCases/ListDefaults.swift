package import RemindavJSON
package import RemindavReminders
import RemindavStore

/// The default due time and alarms of one list; `nil` means the value of the settings.
package struct ListDefaults: Hashable, Sendable {
    package let list: String
    package var due: DefaultDue?
    package var alarms: [AlarmChoice]?

    init(list: String, _ record: ListDefaultsRecord) {
        self.list = list
        self.due = record.due.flatMap { DefaultDue(rawValue: $0) }
        self.alarms = record.alarm.flatMap { AlarmFormatter.choices($0) }
    }

    var record: ListDefaultsRecord {
        ListDefaultsRecord(due: self.due?.rawValue, alarm: self.alarms.map { AlarmFormatter.text($0) })
    }
}

extension UseCases {
    /// The defaults for a new reminder in a list: the values of the list, or otherwise of the settings.
    ///
    /// - Parameter name: `nil` for the default list. An unknown list has the defaults of the settings.
    package func defaults(ofList name: String?) throws -> ReminderDefaults {
        let standard = self.configuration.defaultList
        let own = try self.store.read { snapshot throws(DatabaseError) -> ListDefaultsRecord in
            guard let list = try? snapshot.list(name, orStandard: standard) else { return ListDefaultsRecord() }
            return try snapshot.defaults(of: list.id)
        }
        return self.defaults(own)
    }

    func defaults(of list: ListRecord) throws -> ReminderDefaults {
        self.defaults(try self.store.read { snapshot throws(DatabaseError) in try snapshot.defaults(of: list.id) })
    }

    func defaults(_ record: ListDefaultsRecord) -> ReminderDefaults {
        let own = ListDefaults(list: "", record)
        var defaults = self.configuration.defaults
        if let due = own.due { defaults.due = due }
        if let alarms = own.alarms { defaults.alarms = alarms }
        return defaults
    }

    /// Changes the defaults of a list in this store only, because no standard property can sync them.
    package func setDefaults(
        ofList name: String,
        due: FieldChange<DefaultDue>,
        alarms: FieldChange<[AlarmChoice]>
    ) throws -> ListDefaults {
        if due == .keep, alarms == .keep {
            return try self.store.read { snapshot in
                let list = try snapshot.list(named: name)
                return ListDefaults(list: list.name, try snapshot.defaults(of: list.id))
            }
        }
        return try self.store.write { transaction in
            let list = try transaction.list(named: name)
            var defaults = ListDefaults(list: list.name, try transaction.defaults(of: list.id))
            due.apply(to: &defaults.due)
            alarms.apply(to: &defaults.alarms)
            try transaction.setDefaults(defaults.record, of: list.id)
            return defaults
        }
    }
}

extension FieldChange {
    fileprivate func apply(to value: inout Value?) {
        switch self {
        case .keep: break
        case .clear: value = nil
        case .set(let new): value = new
        }
    }
}

extension ListDefaults: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("list") { $0.list }, JSONMember("due") { $0.due?.rawValue },
        JSONMember("alarm") { $0.alarms.map { AlarmFormatter.text($0) } },
    ]
}
