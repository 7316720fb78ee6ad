package import Reminders

/// The column `signature` of `calendar_object`: what a search may find in the text, without reading it.
///
/// Made from the texts and from nothing else: whoever writes a text writes it too.
enum SignatureRecord {
    /// Fills the column of a store that had none.
    static func fill(_ connection: Connection) throws(DatabaseError) {
        let signer = SearchSigner()
        var last: ObjectID?
        // Row by row, since all the texts may have no room in memory.
        let sql = "SELECT object, source FROM calendar_text WHERE object > ?1 ORDER BY object LIMIT 1"
        while true {
            let next = try connection.first(sql, [.integer(last?.rawValue ?? .min)]) { row in
                (id: row.id(0) as ObjectID, signature: row.withBytes(1) { signer.signature(of: $0) })
            }
            guard let next else { return }
            try connection.run(
                "UPDATE calendar_object SET signature = ?2 WHERE id = ?1",
                [.id(next.id), .blob(next.signature)]
            )
            last = next.id
        }
    }
}

extension StoreSnapshot {
    /// Hands out the objects of a list, or of all lists, in which a query may find its words and that the index says to have
    /// one of some statuses, one by one and by id, until `body` returns `false`.
    ///
    /// Texts of which it is known beforehand that they do not match are not read.
    package func forEachObject(
        in list: ListID? = nil,
        ofStatus statuses: [Int],
        mayMatch query: SearchQuery,
        _ body: (ObjectRecord) -> Bool
    ) throws(DatabaseError) {
        var scan = SearchScan(query)
        guard let wanted = SearchSignature(query) else {
            return try self.forEachObject(in: list, ofStatus: statuses, where: { scan.mayMatch($0) }, body)
        }
        let numbers = statuses.map(String.init).joined(separator: ", ")
        let inList = list == nil ? "" : " AND list = ?1"
        let sql = "SELECT id, signature FROM calendar_object WHERE status IN (\(numbers))\(inList) ORDER BY id"
        var candidates: [ObjectID] = []
        try self.connection.forEach(sql, list.map { [.id($0)] } ?? []) { row in
            if row.withBytes(1, { wanted.mayMatch($0) }) { candidates.append(row.id(0)) }
            return true
        }
        for id in candidates {
            let isWanted = try self.connection.first("SELECT source FROM calendar_text WHERE object = ?1", [.id(id)]) {
                $0.withBytes(0) { scan.mayMatch($0) }
            }
            guard isWanted == true, let record = try self.object(id) else { continue }
            guard body(record) else { return }
        }
    }
}

extension StoreSnapshot {
    /// The objects whose signature is not the one of their text: none, unless something writes texts and does not sign them.
    package func wronglySigned() throws(DatabaseError) -> [ObjectID] {
        let signer = SearchSigner()
        var wrong: [ObjectID] = []
        let sql = "SELECT id, signature, source FROM calendar_object JOIN calendar_text ON object = id ORDER BY id"
        try self.connection.forEach(sql) { row in
            if row.bytesIfPresent(1) != row.withBytes(2, { signer.signature(of: $0) }) { wrong.append(row.id(0)) }
            return true
        }
        return wrong
    }
}

extension StoreTransaction {
    /// The signature of a text, as its column has it.
    func signature(of source: [UInt8]) -> [UInt8]? { self.signer.signature(of: source.span) }
}
