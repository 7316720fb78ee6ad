extension StoreSnapshot {
    /// Hands out the objects of a list whose text has one of some runs of bytes in it, by id, until `body` returns `false`.
    ///
    /// The texts of the others are looked at inside the database and not handed out; no index is there for this.
    ///
    /// - Parameter pieces: none of them empty; without any, nothing is handed out.
    package func forEachObject(
        in list: ListID,
        holding pieces: [[UInt8]],
        _ body: (ObjectRecord) -> Bool
    ) throws(DatabaseError) {
        guard !pieces.isEmpty else { return }
        let tests = pieces.indices.map { "instr(source, ?\($0 + 2)) > 0" }.joined(separator: " OR ")
        try self.forEachObject(in: list, where: tests, pieces.map { .blob($0) }, body)
    }
}
