/// Where it shows that the file with the settings is another: its own name, and those of links that lead to it; where it
/// is not there, the first name that is missing.
struct WatchedPaths: Hashable {
    /// Names, by the folder that they are looked for in; folders are as they are without links.
    private(set) var names: [String: Set<String>] = [:]
    /// The folder that the file is in, or would be; `nil` when that is not there, or when it is no plain file.
    private(set) var folder: String?

    /// Links that are followed; the system's own limit.
    static let maximumLinks = 40

    /// What there is at a path, links followed.
    enum Thing {
        case nothing, file, folder
        /// A device, a pipe, a socket: nobody hears of what is written into it, or of each word.
        case other
    }

    /// Nothing is known.
    init() {}

    /// - Parameters:
    ///   - path: from the root on.
    ///   - linkTarget: where the link at a path leads; `nil` when it is none.
    init(to path: String, linkTarget: (String) -> String?, thing: (String) -> Thing) {
        var folder = ""
        var rest = Self.parts(path)[...]
        var links = 0
        while let name = rest.popFirst() {
            if name == ".." {
                folder = String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)])
                continue
            }
            let place = "\(folder)/\(name)"
            let target = linkTarget(place)
            let found = target == nil ? thing(place) : .folder
            let isLast = target == nil && rest.isEmpty
            let watched = folder.isEmpty ? "/" : folder
            // A file may take the place of what is none.
            if isLast, found != .other { self.folder = watched }
            if isLast || target != nil || found != .folder { self.names[watched, default: []].insert(name) }
            if let target {
                links += 1
                guard links <= Self.maximumLinks else { return }
                if target.hasPrefix("/") { folder = "" }
                rest = (Self.parts(target) + rest)[...]
            } else {
                guard found == .folder else { return }
                folder = place
            }
        }
    }

    private static func parts(_ path: String) -> [String] {
        path.split(separator: "/").map(String.init).filter { $0 != "." }
    }

    /// Whether something that has happened to these files may be of it.
    func isTouched(by files: [String: Set<String>]) -> Bool {
        files.contains { folder, names in !names.isDisjoint(with: self.names[folder] ?? []) }
    }
}
