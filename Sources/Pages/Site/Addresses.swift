import RemindavHTML

extension Address {
    static let list = Address()
    static let quickAdd = Address(["quick"])
    static let add = Address(["add"])
    static let act = Address(["act"])
    static let undo = Address(["undo"])
    static let signOut = Address(["out"])

    static let alarms = Address(["alarms"])
    static let enableAlarms = Address(["alarms", "enable"])
    static let allAlarms = Address(["alarms"], query: [(name: "all", value: "")])

    static let feeds = Address(["feeds"])
    static func feed(_ number: Int64) -> Address { Address(["feeds", String(number)]) }
    static func feedFile(_ number: Int64) -> Address { Address(["feeds", String(number), "file"]) }
    static func feedRevocation(_ number: Int64) -> Address { Address(["feeds", String(number), "revoke"]) }
    static let settings = Address(["settings"])
    static let doctor = Address(["doctor"])
    static let help = Address(["help"])
    static let export = Address(["export"])
    static let exportFile = Address(["export", "file"])
    static let importing = Address(["import"])
    static func importPreview(_ key: String) -> Address { Address(["import", key]) }

    static let log = Address(["log"])
    static let trash = Address(["trash"])
    static let labels = Address(["labels"])
    static let newLabel = Address(["labels", "add"])

    // The name of a label is in the query, because a browser removes the path segments "." and "..".
    static func label(_ name: String) -> Address { Address(["label"], query: [(name: "name", value: name)]) }
    static func labelDeletion(_ name: String) -> Address {
        Address(["label", "delete"], query: [(name: "name", value: name)])
    }

    static let lists = Address(["lists"])
    static let newList = Address(["lists", "add"])
    static let listDownload = Address(["lists", "download"])
    // As for labels, names are in the query.
    static func listPage(_ name: String) -> Address { Address(["list"], query: [(name: "name", value: name)]) }
    /// A decision about a list: `delete`, `discard`, `keep`, `default` or `upload`.
    static func list(_ name: String, _ decision: String) -> Address {
        Address(["list", decision], query: [(name: "name", value: name)])
    }

    static let sync = Address(["sync"])
    static let connect = Address(["accounts", "add"])
    static func connect(_ id: String) -> Address { Address(["accounts", "add"], query: [(name: "id", value: id)]) }
    static let conflicts = Address(["conflicts"])
    static let allConflicts = Address(["conflicts"], query: [(name: "all", value: "")])
    /// A part of an account: `password`, `key-password`, `certificate` or `remove`.
    static func account(_ name: String, _ part: String) -> Address {
        Address(["account", part], query: [(name: "name", value: name)])
    }
    static func account(_ name: String) -> Address { Address(["account"], query: [(name: "name", value: name)]) }

    static func list(_ query: [(name: String, value: String)]) -> Address { Address([], query: query) }
    static func reminder(_ id: Int64) -> Address { Address(["r", String(id)]) }
    static func run(_ number: Int64) -> Address { Address(["log", String(number)]) }
    static func snooze(_ id: Int64) -> Address { Address(["r", String(id), "snooze"]) }
    static func actions(_ id: Int64) -> Address { Address(["r", String(id), "actions"]) }
    static func deletion(_ id: Int64) -> Address { Address(["r", String(id), "delete"]) }
    static func asset(_ name: String, hash: String) -> Address { Address(["a", hash, name]) }

    /// Where a form of this page is sent.
    ///
    /// It differs from the address of the page: for an equal one, a browser puts the answer, or its own page about a
    /// server that does not answer, in the place of the page in its history, and Back loses the typed text.
    func saving(again isAgain: Bool) -> Address {
        isAgain ? self : self.adding([(name: "save", value: "")])
    }

    /// The same page with the result of an operation.
    ///
    /// - Parameters:
    ///   - note: the identifier of a text in ``Notes``.
    ///   - run: the run of the status line; `nil` if nothing was changed.
    func with(note: String? = nil, run: Int64? = nil) -> Address {
        let pairs = [note.map { (name: "note", value: $0) }, run.map { (name: "did", value: String($0)) }]
        return self.adding(pairs.compactMap { $0 })
    }
}
