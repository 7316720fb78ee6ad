import Platform

/// The file with the settings while the daemon runs: watched where it is and where it is to come, and read anew.
///
/// For the daemon's thread.
final class SettingsWatcher {
    /// What came of a look.
    enum Finding {
        case settings(DaemonSettings)
        /// The file cannot be used; the settings from before hold.
        case trouble(any Error)
        /// Changes are not noticed, or not all.
        case unwatched(SystemError)
    }

    private let source: SettingsSource
    private let thing: (_ path: String) -> WatchedPaths.Thing
    private let folders: FolderWatch
    private var trail = WatchedPaths()
    private var look = ReloadDebounce()
    /// Whether there was nothing in the file that the settings are of; a start may have been in between.
    private var isEmpty = false
    /// The trouble that was told, in words.
    private var told: String?
    private var isUnwatchedTold = false
    /// Folders that could not be watched.
    private var lost = VanishedFolders()

    /// - Parameter thing: what there is at a path, links followed.
    /// - Throws: when nothing can be watched at all.
    init(
        _ source: SettingsSource,
        thing: @escaping (_ path: String) -> WatchedPaths.Thing = SettingsWatcher.thing
    ) throws(SystemError) {
        self.source = source
        self.thing = thing
        self.folders = try FolderWatch()
    }

    /// Can be read when ``hear(at:)`` has something to hear.
    var descriptor: Int32 { self.folders.descriptor }

    /// The folders that are watched, each by its names.
    var watched: [Set<String>] { self.folders.watched }

    /// When ``watchAnew(at:)`` or ``read(at:)`` is due; `nil` for not now.
    var next: Int64? { [self.look.next, self.lost.next].compactMap { $0 }.min() }

    /// Begins: what was changed since the file was read for the start is read as well.
    ///
    /// What is no file, as a pipe, was read at the start and for good.
    func begin(at now: Int64) -> Finding? {
        guard self.thing(self.source.path) != .other else { return nil }
        return self.follow(now)
    }

    /// Takes in what has happened to the folders.
    func hear(at now: Int64) -> Finding? {
        let news = self.folders.changes()
        for folder in news.gone { self.folders.remove(folder) }
        let isTouched = news.files.map(self.trail.isTouched) ?? true
        return isTouched || !news.gone.isEmpty ? self.follow(now) : nil
    }

    /// Watches what could not be watched before, if it is time; and all of it before the file is read: of a folder that
    /// somebody stands in nobody hears that it was taken away.
    func watchAnew(at now: Int64) -> Finding? {
        let isRead = self.look.isDue(at: now)
        guard isRead || !self.lost.due(at: now).isEmpty else { return nil }
        let (isNew, finding) = self.watch(now)
        if isNew, !isRead { self.look.changed(at: now) }
        return finding
    }

    /// Reads the file, if it is time.
    ///
    /// What is no file says nothing, neither that there are settings nor that there are none.
    func read(at now: Int64) -> Finding? {
        guard self.look.isDue(at: now) else { return nil }
        guard self.thing(self.source.path) != .other else {
            self.look.passed()
            return nil
        }
        let bytes = Result { try self.source.bytes() }
        let isEmpty =
            switch bytes {
            case .success(let bytes): bytes?.isEmpty ?? true
            case .failure: false
            }
        guard self.look.found(isEmpty: isEmpty, wasEmpty: self.isEmpty, at: now) else { return nil }
        self.isEmpty = isEmpty
        do {
            let settings = try self.source.settings(bytes.get())
            self.told = nil
            return .settings(settings)
        } catch {
            let words = "\(error)"
            defer { self.told = words }
            return words == self.told ? nil : .trouble(error)
        }
    }

    /// Watches the folders that count now, and has the file read.
    private func follow(_ now: Int64) -> Finding? {
        self.look.changed(at: now)
        return self.watch(now).finding
    }

    /// Watches the folders that count now, and no others.
    ///
    /// - Returns: whether there was something to be done, and what went wrong.
    private func watch(_ now: Int64) -> (isNew: Bool, finding: Finding?) {
        var isNew = false
        var failures: [String: SystemError] = [:]
        // What has changed between the look and the watch is seen by the next look.
        for _ in 0..<DaemonLimits.settingsRounds {
            let trail = WatchedPaths(
                to: self.source.path,
                linkTarget: SystemFiles.linkTarget,
                thing: self.thing
            )
            var isSame = trail == self.trail
            self.trail = trail
            self.folders.removeAll(but: trail.names.keys)
            failures = [:]
            for folder in trail.names.keys.sorted() {
                do throws(SystemError) {
                    // Another folder may have taken its name.
                    if try self.folders.add(folder, folder == trail.folder ? .contents : .names) { isSame = false }
                } catch {
                    failures[folder] = error
                }
            }
            if isSame { break }
            isNew = true
        }
        self.lost.foundAll(but: failures.keys)
        for folder in failures.keys { _ = self.lost.failed(folder, at: now) }
        guard let failure = failures.min(by: { $0.key < $1.key })?.value, !self.isUnwatchedTold else {
            return (isNew, nil)
        }
        self.isUnwatchedTold = true
        return (isNew, .unwatched(failure))
    }

    static func thing(_ path: String) -> WatchedPaths.Thing {
        switch SystemFiles.kind(path) {
        case nil: .nothing
        case .file: .file
        case .folder: .folder
        case .other: .other
        }
    }
}
