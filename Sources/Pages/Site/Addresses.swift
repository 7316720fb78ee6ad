import HTML

extension Address {
    static let list = Address()
    static let quickAdd = Address(["quick"])
    static let act = Address(["act"])
    static let undo = Address(["undo"])
    static let signOut = Address(["out"])

    static func list(_ query: [(name: String, value: String)]) -> Address { Address([], query: query) }
    /// The list with the status of a run.
    static func list(afterRun run: Int64?) -> Address {
        Address([], query: run.map { [(name: "did", value: String($0))] } ?? [])
    }
    static func actions(_ id: Int64) -> Address { Address(["r", String(id), "actions"]) }
    static func deletion(_ id: Int64) -> Address { Address(["r", String(id), "delete"]) }
    static func asset(_ name: String, hash: String) -> Address { Address(["a", hash, name]) }
}
