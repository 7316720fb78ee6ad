import Store

extension UseCases {
    /// Makes a list the default for new reminders.
    ///
    /// - Throws: `listNotFound`; `listIsReadOnly` or `defaultListLost` for a list that cannot accept new reminders.
    package func setDefaultList(_ name: String) throws -> ListView {
        let list = try self.store.write { transaction in
            let list = try transaction.list(named: name)
            guard !list.isReadOnly else { throw UseCaseError(.listIsReadOnly, subject: list.name) }
            guard list.state != .detached else { throw UseCaseError(.defaultListLost, subject: list.name) }
            try transaction.setDefaultList(list)
            return list
        }
        return try self.listView(list.id)
    }

    /// The reason for a missing default list in a store with lists; `nil` when there is a default list.
    package func defaultListTrouble() throws -> UseCaseError? {
        do {
            if let name = self.configuration.defaultList {
                let lists = try self.store.read { snapshot in try snapshot.lists() }
                let list = try lists.named(name)
                return list == nil && !lists.isEmpty ? UseCaseError(.defaultListNotFound, subject: name) : nil
            }
            _ = try self.store.read { snapshot in try snapshot.defaultListOrNone() }
            return nil
        } catch let error as UseCaseError {
            return error
        }
    }

    package static func needsDefaultList(_ error: any Error) -> Bool {
        guard let error = error as? UseCaseError else { return false }
        return [.defaultListDeleted, .defaultListReadOnly, .defaultListLost].contains(error.code)
    }

    /// Records the default list of a store that an older version filled without one.
    func recordFirstDefault() throws {
        guard try self.store.read({ snapshot throws(DatabaseError) in try snapshot.defaultList() }) == nil else {
            return
        }
        try self.store.write { transaction throws(DatabaseError) in try transaction.settleDefaultList() }
    }
}

extension StoreSnapshot {
    /// The list for new reminders: the recorded default, or before any was recorded the oldest writable list.
    ///
    /// - Returns: `nil` when the next reminder creates the first list.
    /// - Throws: `defaultListDeleted`, `defaultListReadOnly` or `defaultListLost`: another list is never chosen silently.
    func defaultListOrNone() throws -> ListRecord? {
        let lists = try self.lists()
        guard let record = try self.defaultList() else { return lists.oldestWritable }
        guard let list = lists.first(where: { $0.id == record.list }) else {
            if lists.isEmpty { return nil }
            throw UseCaseError(.defaultListDeleted, subject: record.name)
        }
        if list.state == .detached { throw UseCaseError(.defaultListLost, subject: list.name) }
        if list.isReadOnly { throw UseCaseError(.defaultListReadOnly, subject: list.name) }
        return list
    }

    /// The default list; `nil` also if it cannot contain new reminders.
    ///
    /// - Parameter setting: the default list of the settings, which has priority.
    func usableDefaultList(_ setting: String?) throws(DatabaseError) -> ListRecord? {
        let lists = try self.lists()
        if let setting { return try? lists.named(setting) }
        return try? self.defaultListOrNone()
    }
}

extension StoreTransaction {
    /// To be called before lists are created: in a store without lists an earlier default is forgotten.
    func prepareDefaultList() throws(DatabaseError) {
        if try self.lists().isEmpty { try self.forgetDefaultList() }
    }

    /// To be called after lists were created: the oldest writable list becomes the default if none is recorded.
    func settleDefaultList() throws(DatabaseError) {
        guard try self.defaultList() == nil, let list = try self.lists().oldestWritable else { return }
        try self.setDefaultList(list)
    }
}
