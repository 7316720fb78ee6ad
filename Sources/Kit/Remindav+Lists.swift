import RemindavBridge
public import RemindavReminders

/// A list of reminders.
public struct ReminderList: Hashable, Sendable {
    /// The relation of a list to its server.
    public enum State: Hashable, Sendable {
        /// The list is only in the store.
        case local
        /// The list is in step with a list on a server.
        case synced
        /// The server no longer has the list; the reminders stay in the store until the user decides.
        case detached
    }

    /// The name of the list, by which other functions name it.
    public let name: String
    /// The name of the account; `nil` for a local list.
    public let account: String?
    /// The relation of the list to its server.
    public let state: State
    /// The colour; `nil` for none, or for a text that is no colour.
    public let color: LabelColor?
    /// Whether the user may not change the reminders of the list.
    public let isReadOnly: Bool
    /// Whether new reminders without a list go into this list.
    public let isDefault: Bool
    /// The number of open reminders.
    public let openCount: Int
    /// The number of completed reminders.
    public let completedCount: Int
    /// The number of changes that were not sent yet.
    public let unsentCount: Int

    init(_ view: ListView) {
        (self.name, self.account, self.color) = (view.name, view.account, view.color.flatMap { LabelColor($0) })
        self.state =
            switch view.state {
            case .local: .local
            case .synced: .synced
            case .detached: .detached
            }
        (self.isReadOnly, self.isDefault) = (view.isReadOnly, view.isDefault)
        (self.openCount, self.completedCount, self.unsentCount) = (view.open, view.completed, view.unsent)
    }
}

extension Remindav {
    /// Returns all lists: local lists first, and then the lists of each account by name.
    public func lists() throws(RemindavError) -> [ReminderList] {
        try self.perform { try self.useCases.lists().map { ReminderList($0) } }
    }

    /// Creates a list in the store, and with an account also on its server.
    ///
    /// A local list with this name is published on the server. An existing list of the server with this name is used.
    ///
    /// - Parameters:
    ///   - name: the name of the list.
    ///   - account: the name of the account; `nil` for a list only in the store.
    ///   - color: the colour; `nil` for none.
    @discardableResult
    public func addList(
        named name: String,
        account: String? = nil,
        color: LabelColor? = nil
    ) async throws(RemindavError) -> ReminderList {
        try await self.perform { useCases in
            ReminderList(try await useCases.addList(named: name, account: account, color: color?.hex).list)
        }
    }

    /// Renames a list, also on its server.
    @discardableResult
    public func renameList(_ name: String, to new: String) async throws(RemindavError) -> ReminderList {
        try await self.perform { useCases in ReminderList(try await useCases.renameList(name, to: new).list) }
    }

    /// Changes the colour of a list, also on its server; `nil` removes it.
    @discardableResult
    public func recolorList(_ name: String, to color: LabelColor?) async throws(RemindavError) -> ReminderList {
        try await self.perform { useCases in ReminderList(try await useCases.recolorList(name, to: color?.hex).list) }
    }

    /// Makes a list the default list for new reminders.
    @discardableResult
    public func setDefaultList(_ name: String) throws(RemindavError) -> ReminderList {
        try self.perform { ReminderList(try self.useCases.setDefaultList(name)) }
    }

    /// Deletes a list with its reminders.
    ///
    /// - Parameters:
    ///   - name: the name of the list.
    ///   - localOnly: whether the list stays on its server, and later syncs ignore it.
    public func deleteList(_ name: String, localOnly: Bool = false) async throws(RemindavError) {
        try await self.perform { useCases in try await useCases.deleteList(name, localOnly: localOnly) }
    }
}
