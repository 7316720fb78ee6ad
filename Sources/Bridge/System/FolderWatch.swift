import CLinuxEvents
import Glibc

/// Tells which files change in folders, to who waits for ``descriptor``.
final class FolderWatch {
    /// What has happened.
    struct News {
        /// Names of files that have changed in a watched folder, by the folder; `nil` when nobody knows which.
        var files: [String: Set<String>]? = [:]
        /// Watched folders that went away, or elsewhere, and are watched no more.
        var gone: Set<String> = []
    }

    /// What is looked at in a folder.
    enum Depth {
        /// Names that come and go.
        case names
        /// What is written into its files as well, and who may read them.
        case contents
    }

    private let watch: Descriptor
    /// Names of the folder behind each number, which may have several, and what is looked at for the sake of each.
    private var folders: [Int32: [String: Depth]] = [:]

    init() throws(SystemError) {
        self.watch = Descriptor(remindav_new_watch())
        guard self.watch.number >= 0 else { throw .last("inotify") }
    }

    /// Can be read when there is news.
    var descriptor: Int32 { self.watch.number }

    /// The folders that are watched, each by its names.
    var watched: [Set<String>] { self.folders.values.map { Set($0.keys) } }

    /// Tells of files that change in a folder from now on; a folder that is watched already is not watched twice, and one
    /// that had the name before no more.
    ///
    /// - Returns: whether it was not watched, or otherwise.
    @discardableResult
    func add(_ folder: String, _ depth: Depth = .contents) throws(SystemError) -> Bool {
        // The system would go on with what is looked at already.
        if depth == .names, self.folders.values.contains(where: { $0[folder] == .contents }) { self.remove(folder) }
        let number = unsafe remindav_watch_folder(self.watch.number, folder, depth == .contents ? 1 : 0)
        guard number >= 0 else { throw .last(folder) }
        for other in self.folders.keys where other != number { self.remove(folder, other) }
        return self.folders[number, default: [:]].updateValue(depth, forKey: folder) != depth
    }

    /// Watches a folder no more; one that is not watched is none.
    func remove(_ folder: String) {
        for number in self.folders.keys { self.remove(folder, number) }
    }

    /// Watches no folders but these.
    func removeAll(but folders: some Collection<String>) {
        let wanted = Set(folders)
        for folder in Set(self.folders.values.flatMap(\.keys)).subtracting(wanted) { self.remove(folder) }
    }

    private func remove(_ folder: String, _ number: Int32) {
        guard self.folders[number]?.removeValue(forKey: folder) != nil, self.folders[number] == [:] else { return }
        // The system has forgotten one that is gone.
        remindav_forget_folder(self.watch.number, number)
        self.folders[number] = nil
    }

    /// All that has happened since the last time; nothing when nothing has.
    func take() -> News {
        var news = News()
        var buffer = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe read(self.watch.number, $0.baseAddress, $0.count)
            }
            guard count > 0 else { return news }
            unsafe buffer.withUnsafeBufferPointer { bytes in
                var place = 0
                while true {
                    var folder: Int32 = 0
                    var name: UnsafePointer<CChar>?
                    let next = unsafe remindav_next_event(bytes.baseAddress, count, place, &folder, &name)
                    guard next > 0 else { return }
                    place = next
                    if folder < 0 {
                        // There were more than the system keeps.
                        news.files = nil
                    } else if let paths = self.folders[folder]?.keys {
                        let name = unsafe name.map { unsafe String(cString: $0) }
                        for path in paths {
                            if let name {
                                news.files?[path, default: []].insert(name)
                            } else {
                                news.gone.insert(path)
                            }
                        }
                    }
                }
            }
        }
    }
}
