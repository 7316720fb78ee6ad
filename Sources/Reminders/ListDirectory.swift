/// Lists by their names, for finding one without comparing its name with all others.
package struct ListDirectory<List> {
    private var exact: [String: List] = [:]
    /// By their names in small letters, in the order in which they came.
    private var similar: [String: [List]] = [:]

    /// How many lists are in it.
    package private(set) var count = 0

    /// One without lists.
    package init() {}

    /// Adds a list; of two that are called just so the first one is found.
    package mutating func add(_ list: List, named name: String) {
        if self.exact[name] == nil { self.exact[name] = list }
        self.similar[name.lowercased(), default: []].append(list)
        self.count += 1
    }

    /// The list that is called just so; `nil` when there is none.
    package func named(_ name: String) -> List? { self.exact[name] }

    /// The lists that are called so but for capitals, in the order in which they came.
    package func similar(to name: String) -> [List] { self.similar[name.lowercased()] ?? [] }
}

extension ListDirectory: Sendable where List: Sendable {}
