import RemindavPlatform

/// Reads the settings again after the settings file has changed.
///
/// It watches the folder of the file, the folders of symbolic links that lead to the file, and the folder of the first
/// missing path component. The file is read after a pause, because an editor writes in steps and may delete or empty
/// the file first. Times are values of `WakeSources.uptime` in nanoseconds. Only one thread may use it.
final class SettingsReloader {
    enum Effect {
        case use(DaemonSettings)
        case reportError(any Error)
        case reportUnwatched(SystemError)
    }

    private let source: SettingsSource
    private let kind: (_ path: String) -> SystemFiles.Kind?
    private let folders: FolderWatch
    private var trail = FileTrail()
    /// Whether the settings in use come from a missing or empty file.
    private var wasEmpty = false
    /// Whether the last reading found the file missing or empty, so that another reading must confirm this.
    private var isVanishing = false
    private var firstChange: Int64?
    private var readAt: Int64?
    private var rewatch = Backoff()
    private var lastError: String?
    private var hasReportedUnwatched = false

    /// - Parameter kind: returns the kind of file at a path, after following links; `nil` when the file is missing.
    init(
        _ source: SettingsSource,
        kind: @escaping (_ path: String) -> SystemFiles.Kind? = { SystemFiles.kind($0) }
    ) throws(SystemError) {
        self.source = source
        self.kind = kind
        self.folders = try FolderWatch()
    }

    /// A file descriptor that is readable when ``handle(isReadable:at:)`` must be called.
    var descriptor: Int32 { self.folders.descriptor }
    var watched: [Set<String>] { self.folders.watched }
    var next: Int64? { [self.readAt, self.rewatch.next].compactMap { $0 }.min() }

    /// Watches the file and plans to read it, as it may have changed since the start; a pipe or device is read once.
    func start(at now: Int64) -> [Effect] { self.kind(self.source.path) == .other ? [] : self.follow(now) }

    func handle(isReadable: Bool, at now: Int64) -> [Effect] {
        var effects: [Effect] = []
        if isReadable {
            let changes = self.folders.changes()
            for folder in changes.gone { self.folders.remove(folder) }
            let isTouched = changes.files.map(self.trail.isTouched) ?? true
            if isTouched || !changes.gone.isEmpty { effects += self.follow(now) }
        }
        let isReading = self.readAt.map { $0 <= now } ?? false
        // The folders are looked up again, because inotify does not report the removal of a folder that a process uses.
        if isReading || self.rewatch.isDue(at: now) {
            let (isNew, failure) = self.watch(now)
            effects += failure
            if isNew, !isReading { self.delayReading(now) }
        }
        if isReading { effects += self.read(now) }
        return effects
    }

    private func follow(_ now: Int64) -> [Effect] {
        self.delayReading(now)
        return self.watch(now).failure
    }

    private func delayReading(_ now: Int64) {
        let first = self.firstChange ?? now
        self.firstChange = first
        self.readAt = min(now + DaemonLimits.settingsPause, first + DaemonLimits.longestSettingsPause)
        self.isVanishing = false
    }

    private func read(_ now: Int64) -> [Effect] {
        (self.readAt, self.firstChange) = (nil, nil)
        guard self.kind(self.source.path) != .other else {
            self.isVanishing = false
            return []
        }
        let bytes = Result { try self.source.bytes() }
        let isEmpty = if case .success(let bytes) = bytes { bytes?.isEmpty ?? true } else { false }
        // An empty or missing file is not used at once, because an editor may be about to write the new file.
        if isEmpty, !self.wasEmpty, !self.isVanishing {
            self.isVanishing = true
            self.readAt = now + DaemonLimits.longestSettingsPause
            return []
        }
        self.wasEmpty = isEmpty
        do {
            let settings = try self.source.settings(bytes.get())
            self.lastError = nil
            return [.use(settings)]
        } catch {
            let text = "\(error)"
            defer { self.lastError = text }
            return text == self.lastError ? [] : [.reportError(error)]
        }
    }

    /// Watches only the folders that lead to the file; returns whether they changed, and a failure not yet reported.
    private func watch(_ now: Int64) -> (isNew: Bool, failure: [Effect]) {
        var isNew = false
        var failures: [SystemError] = []
        // Another round detects a change that happened between the lookup and the start of the watch.
        for _ in 0..<DaemonLimits.settingsRounds {
            let trail = FileTrail(to: self.source.path, linkTarget: SystemFiles.linkTarget, kind: self.kind)
            var isSame = trail == self.trail
            self.trail = trail
            self.folders.removeAll(but: trail.names.keys)
            failures = []
            for folder in trail.names.keys.sorted() {
                do throws(SystemError) {
                    if try self.folders.add(folder, folder == trail.folder ? .contents : .names) { isSame = false }
                } catch {
                    failures.append(error)
                }
            }
            if isSame { break }
            isNew = true
        }
        guard let failure = failures.first else {
            self.rewatch.succeeded()
            return (isNew, [])
        }
        self.rewatch.failed(at: now)
        guard !self.hasReportedUnwatched else { return (isNew, []) }
        self.hasReportedUnwatched = true
        return (isNew, [.reportUnwatched(failure)])
    }
}

/// The names to watch for a file: its own name, the names of links that lead to it, and the first missing name.
struct FileTrail: Hashable {
    /// The names, by the path of their folder; these paths contain no links.
    private(set) var names: [String: Set<String>] = [:]
    /// The folder of the file; `nil` when the folder is missing, or when the file is a pipe or a device.
    private(set) var folder: String?

    /// The maximum number of links that are followed; Linux has the same limit.
    static let maximumLinks = 40

    init() {}

    /// Follows a path; `linkTarget` returns `nil` for a path that is not a link, and `kind` for a missing file.
    init(to path: String, linkTarget: (String) -> String?, kind: (String) -> SystemFiles.Kind?) {
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
            let found = target == nil ? kind(place) : .folder
            let isLast = target == nil && rest.isEmpty
            let watched = folder.isEmpty ? "/" : folder
            // A missing file may be created later. A pipe or a device is not watched.
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

    func isTouched(by files: [String: Set<String>]) -> Bool {
        files.contains { folder, names in !names.isDisjoint(with: self.names[folder] ?? []) }
    }
}
