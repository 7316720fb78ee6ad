/// An index of lists by name, so that a search need not compare all names.
package struct ListDirectory<List> {
    private var exact: [String: List] = [:]
    /// The lists by lower-case name; lists with the same name are in the order of addition.
    private var similar: [String: [List]] = [:]
    package private(set) var count = 0

    package init() {}

    /// Adds a list; if two lists have the same exact name, ``named(_:)`` finds the first one.
    package mutating func add(_ list: List, named name: String) {
        if self.exact[name] == nil { self.exact[name] = list }
        self.similar[name.lowercased(), default: []].append(list)
        self.count += 1
    }

    package func named(_ name: String) -> List? { self.exact[name] }
    package func similar(to name: String) -> [List] { self.similar[name.lowercased()] ?? [] }
}

extension ListDirectory: Sendable where List: Sendable {}
