import Reminders
import Store
import TaskFormats

// The lists that a file of our own names, each reminder in its own.

/// The lists of a file, by their names.
struct TargetLists {
    /// For what names none.
    let standard: ListRecord
    /// All lists that there are, and no name that got none: a file may have as many as it has reminders.
    fileprivate(set) var known = ListDirectory<ListRecord>()
    /// How many lists the file may still make.
    fileprivate var room: Int

    /// - Parameters:
    ///   - lists: all that there are.
    ///   - room: how many lists the file may make.
    init(standard: ListRecord, lists: [ListRecord], room: Int) {
        self.standard = standard
        self.room = room
        for list in lists.sorted(by: { $0.id < $1.id }) { self.known.add(list, named: list.name) }
    }

    /// The list that is called just so, else the oldest one that is but for capitals.
    fileprivate func list(named name: String) -> ListRecord? {
        self.known.named(name) ?? self.known.similar(to: name).first
    }
}

extension StreamImport {
    /// What comes next goes to the list of that name, unless a person has named one for all of it.
    mutating func turn(to name: String?, in transaction: StoreTransaction) throws(DatabaseError) {
        guard let standard = self.places?.standard else { return }
        guard let name else { return self.list = standard }
        if let list = self.places?.list(named: name) { return self.list = list }
        self.list = standard
        guard let room = self.places?.room, room > 0 else { return }
        self.places?.room -= 1
        guard let list = try transaction.list(transaction.insertList(named: name, at: self.now)) else { return }
        self.places?.known.add(list, named: name)
        self.list = list
    }

    /// Whether nobody may change the list: what is there already stays, and all else is left out and told of.
    mutating func isClosed(to uid: String, line: Int, in transaction: StoreTransaction) throws(DatabaseError) -> Bool {
        guard self.list.isReadOnly else { return false }
        if let record = try transaction.object(in: self.list.id, uid: uid) {
            if self.outcomes[record.id] == nil { self.outcomes[record.id] = .unchanged }
        } else {
            self.report.skipped += 1
            self.add(ImportIssue(.listReadOnly, line: self.line ?? line))
        }
        return true
    }
}

extension StoreTransaction {
    /// Makes the lists of a file that are not here, with their colours: in a new store the one that was used there when
    /// none is named is so here.
    ///
    /// - Parameter standard: what the settings name as the one, `nil` where they name none.
    func makeLists(_ lists: [ImportedList], standard: String?, at now: Int64) throws {
        let ordered = lists.filter(\.isDefault) + lists.filter { !$0.isDefault }
        // A part of an export does not say which list everything else shall go to.
        if ordered.first?.isDefault == false {
            _ = try self.listForImport(nil, standard: standard, namesLists: true, at: now)
        }
        var known = ListDirectory<ListID>()
        for list in try self.lists() { known.add(list.id, named: list.name) }
        for list in ordered where known.similar(to: list.name).isEmpty {
            known.add(try self.insertList(named: list.name, color: list.color, at: now), named: list.name)
        }
    }
}
