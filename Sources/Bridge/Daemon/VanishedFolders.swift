/// Folders that are to be watched and are not, and when that is tried again.
struct VanishedFolders {
    private var folders: [String: (tries: Int, again: Int64)] = [:]

    /// When the next of them is looked for; `nil` for never.
    var next: Int64? { self.folders.values.map(\.again).min() }

    /// Takes in one that went away.
    mutating func add(_ folder: String, at now: Int64) { self.folders[folder] = (0, now) }

    /// Those that are looked for now.
    func due(at now: Int64) -> [String] { self.folders.filter { $0.value.again <= now }.map(\.key) }

    /// There is one of that name again.
    mutating func found(_ folder: String) { self.folders[folder] = nil }

    /// All but these are there again, or are wanted no more.
    mutating func foundAll(but lost: some Collection<String>) {
        self.folders = self.folders.filter { lost.contains($0.key) }
    }

    /// There is none yet.
    ///
    /// - Returns: whether it was looked for the first time.
    mutating func failed(_ folder: String, at now: Int64) -> Bool {
        let tries = (self.folders[folder]?.tries ?? 0) + 1
        self.folders[folder] = (tries, now + DaemonLimits.pause(after: tries))
        return tries == 1
    }
}
