import RemindavStore

extension UseCases {
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

    /// The reason why a store with lists has no usable default list; `nil` when it has one.
    package func defaultListError() throws -> UseCaseError? {
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

    /// Records a default list if the store has none; an older version recorded none.
    func recordFirstDefault() throws {
        guard try self.store.read({ snapshot throws(DatabaseError) in try snapshot.defaultList() }) == nil else {
            return
        }
        try self.store.write { transaction throws(DatabaseError) in try transaction.settleDefaultList() }
    }
}

extension StoreSnapshot {
    /// The list for new reminders: the recorded default list, or the oldest writable list if none is recorded.
    ///
    /// - Returns: `nil` when the store has no suitable list yet; the next reminder creates one.
    /// - Throws: `defaultListDeleted`, `defaultListReadOnly` or `defaultListLost`; no other list is chosen silently.
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

    /// The default list; `nil` if there is none, or if the recorded list cannot accept new reminders.
    ///
    /// - Parameter setting: the name of the default list in the settings, which is used instead of the recorded list.
    func usableDefaultList(_ setting: String?) throws(DatabaseError) -> ListRecord? {
        let lists = try self.lists()
        if let setting { return try? lists.named(setting) }
        return try? self.defaultListOrNone()
    }
}

extension StoreTransaction {
    /// Forgets the default list if the store has no lists; call it before lists are created.
    func prepareDefaultList() throws(DatabaseError) {
        if try self.lists().isEmpty { try self.forgetDefaultList() }
    }

    /// Makes the oldest writable list the default if none is recorded; call it after lists were created.
    func settleDefaultList() throws(DatabaseError) {
        guard try self.defaultList() == nil, let list = try self.lists().oldestWritable else { return }
        try self.setDefaultList(list)
    }
}
