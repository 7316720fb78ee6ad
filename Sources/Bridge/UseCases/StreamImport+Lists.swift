import Movers
import Store

// The lists that a file of our own names, each reminder in its own.

/// The lists of a file, by their names.
struct ImportPlaces {
    /// For what names none.
    let standard: ListRecord
    fileprivate var known: [String: ListRecord] = [:]
    /// How many lists the file may still make.
    fileprivate var room: Int

    /// - Parameters:
    ///   - lists: all that there are.
    ///   - room: how many lists the file may make.
    init(standard: ListRecord, lists: [ListRecord], room: Int) {
        self.standard = standard
        self.room = room
        for list in lists where self.known[list.name] == nil { self.known[list.name] = list }
    }
}

extension StreamImport {
    /// What comes next goes to the list of that name, unless a person has named one for all of it.
    mutating func turn(to name: String?, in transaction: StoreTransaction) throws(DatabaseError) {
        guard let standard = self.places?.standard else { return }
        guard let name else { return self.list = standard }
        if let list = self.places?.known[name] { return self.list = list }
        let similar = self.places?.known.values.filter { $0.name.isSameButForCase(as: name) } ?? []
        var list = similar.min { $0.id < $1.id }
        if list == nil, let room = self.places?.room, room > 0 {
            self.places?.room -= 1
            list = try transaction.list(transaction.insertList(named: name, at: self.now))
        }
        self.places?.known[name] = list ?? standard
        self.list = list ?? standard
    }

    /// Whether nobody may change the list: what is there already stays, and all else is left out and told of.
    mutating func isClosed(to uid: String, line: Int, in transaction: StoreTransaction) throws(DatabaseError) -> Bool {
        guard self.list.isReadOnly else { return false }
        if let record = try transaction.object(in: self.list.id, uid: uid) {
            if self.fates[record.id] == nil { self.fates[record.id] = .unchanged }
        } else {
            self.report.skipped += 1
            self.add(MoverFinding(.listReadOnly, line: self.line ?? line))
        }
        return true
    }
}

extension StoreTransaction {
    /// Makes the lists of a file that are not here, with their colours: in a new store the one that was used there when
    /// none is named is so here.
    ///
    /// - Parameter standard: what the settings name as the one, `nil` where they name none.
    func makeLists(_ lists: [MovedList], standard: String?, at now: Int64) throws {
        let ordered = lists.filter(\.isDefault) + lists.filter { !$0.isDefault }
        // A part of an export does not say which list everything else shall go to.
        if ordered.first?.isDefault == false { _ = try self.listForImport(nil, standard: standard, at: now) }
        var names = Set(try self.lists().map { $0.name.lowercased() })
        for list in ordered where names.insert(list.name.lowercased()).inserted {
            _ = try self.insertList(named: list.name, color: list.color, at: now)
        }
    }
}
