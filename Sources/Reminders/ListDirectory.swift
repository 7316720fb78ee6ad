/// Lists by their names, for finding one without comparing its name with all others.
package struct ListDirectory<List> {
    private var exact: [String: List] = [:]
    /// By their names in small letters, in the order of addition.
    private var similar: [String: [List]] = [:]
    package private(set) var count = 0

    package init() {}

    /// Of two with one exact name, the first one is found.
    package mutating func add(_ list: List, named name: String) {
        if self.exact[name] == nil { self.exact[name] = list }
        self.similar[name.lowercased(), default: []].append(list)
        self.count += 1
    }

    package func named(_ name: String) -> List? { self.exact[name] }
    package func similar(to name: String) -> [List] { self.similar[name.lowercased()] ?? [] }
}

extension ListDirectory: Sendable where List: Sendable {}
