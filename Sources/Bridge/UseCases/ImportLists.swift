import RemindavReminders
import RemindavStore
import RemindavTaskFormats

struct TargetLists {
    let standard: ListRecord
    /// The existing lists; missing names are not cached, because each reminder may name another missing list.
    private(set) var known = ListDirectory<ListRecord>()
    /// The number of lists that the file may still create.
    private var room: Int

    init(standard: ListRecord, lists: [ListRecord], room: Int) {
        self.standard = standard
        self.room = room
        for list in lists.sorted(by: { $0.id < $1.id }) { self.known.add(list, named: list.name) }
    }

    /// The list with this name, or otherwise a list with this name in other case, or otherwise a new list.
    ///
    /// A reminder without a list name, or beyond the limit of new lists, goes to the standard list.
    mutating func list(
        named name: String?,
        in transaction: StoreTransaction,
        at now: Int64
    ) throws(DatabaseError) -> ListRecord {
        guard let name else { return self.standard }
        if let list = self.known.named(name) ?? self.known.similar(to: name).first { return list }
        guard self.room > 0 else { return self.standard }
        self.room -= 1
        guard let list = try transaction.list(transaction.insertList(named: name, at: now)) else {
            return self.standard
        }
        self.known.add(list, named: name)
        return list
    }
}

extension StoreTransaction {
    /// Creates the missing lists of a file; in a new store, the file's default list becomes the default list.
    func makeLists(_ lists: [ImportedList], standard: String?, at now: Int64) throws {
        let ordered = lists.filter(\.isDefault) + lists.filter { !$0.isDefault }
        // If the file marks no default list, the default list of a new store is created first. Otherwise, a list of
        // the file would become the default list.
        if ordered.first?.isDefault == false {
            _ = try self.listForImport(nil, standard: standard, namesLists: true, at: now)
        }
        var known = ListDirectory<ListID>()
        for list in try self.lists() { known.add(list.id, named: list.name) }
        for list in ordered where known.similar(to: list.name).isEmpty {
            known.add(try self.insertList(named: list.name, color: list.color, at: now), named: list.name)
        }
    }

    /// The target list of an import, which is created if necessary.
    ///
    /// In a new store the default list is created first, so that no list of a file becomes the default list.
    ///
    /// - Parameters:
    ///   - name: the requested list; `nil` for the default list.
    ///   - standard: the default list in the settings; `nil` if they name none.
    ///   - namesLists: whether reminders of the file name their lists; if `true`, a read-only default list is no error.
    func listForImport(_ name: String?, standard: String?, namesLists: Bool, at now: Int64) throws -> ListRecord {
        if namesLists, name == nil, standard == nil, let record = try self.defaultList(),
            let list = try self.list(record.list)
        {
            return list
        }
        if let list = try self.list(name, orStandard: standard) { return list }
        let lists = try self.lists()
        if name == nil, let standard, !lists.isEmpty { throw UseCaseError(.defaultListNotFound, subject: standard) }
        let first = standard ?? UseCases.firstListName
        if let name, lists.oldestWritable == nil, !name.isSameButForCase(as: first), try lists.named(first) == nil {
            _ = try self.insertList(named: first, at: now)
        }
        guard let list = try self.list(self.insertList(named: name ?? first, at: now)) else {
            throw UseCaseError(.listNotFound, subject: name)
        }
        return list
    }

    func deleteEmptyLists(besides former: Set<ListID>) throws(DatabaseError) {
        for list in try self.lists() where !former.contains(list.id) {
            if try self.objectCount(in: list.id) == 0 { try self.deleteList(list.id) }
        }
    }
}
