import Glibc
import RemindavCLinuxEvents

/// Watches folders with inotify; only one thread at a time may use it.
package final class FolderWatch {
    package struct Changes: Equatable {
        /// The names of changed files, by folder; `nil` when the kernel dropped events: then any file may have changed.
        package var files: [String: Set<String>]? = [:]
        /// Watched folders that were moved or deleted; they are no longer watched.
        package var gone: Set<String> = []
    }

    package enum Depth: Sendable {
        /// Reports files that appear, disappear or are renamed.
        case names
        /// Also reports writes to files and changes of their permissions.
        case contents
    }

    private let watch: Descriptor
    /// The watched folders by inotify's watch number: the paths under which each was added, with the requested depths.
    private var folders: [Int32: [String: Depth]] = [:]

    package init() throws(SystemError) {
        self.watch = Descriptor(remindav_new_watch())
        guard self.watch.number >= 0 else { throw .last("inotify") }
    }

    /// A file descriptor that is readable when ``changes()`` has something to return.
    package var descriptor: Int32 { self.watch.number }
    package var watched: [Set<String>] { self.folders.values.map { Set($0.keys) } }

    /// Watches a folder; returns `false` if the folder was already watched with this depth.
    @discardableResult
    package func add(_ folder: String, _ depth: Depth = .contents) throws(SystemError) -> Bool {
        // inotify can only add event types to an existing watch, so a watch for fewer events must be created anew.
        if depth == .names, self.folders.values.contains(where: { $0[folder] == .contents }) { self.remove(folder) }
        let number = unsafe remindav_watch_folder(self.watch.number, folder, depth == .contents ? 1 : 0)
        guard number >= 0 else { throw .last(folder) }
        for other in self.folders.keys where other != number { self.remove(folder, other) }
        return self.folders[number, default: [:]].updateValue(depth, forKey: folder) != depth
    }

    package func remove(_ folder: String) {
        for number in self.folders.keys { self.remove(folder, number) }
    }

    /// Stops watching all folders except those in `folders`.
    package func removeAll(but folders: some Collection<String>) {
        for folder in Set(self.folders.values.flatMap(\.keys)).subtracting(folders) { self.remove(folder) }
    }

    private func remove(_ folder: String, _ number: Int32) {
        guard self.folders[number]?.removeValue(forKey: folder) != nil, self.folders[number] == [:] else { return }
        // This fails for a deleted folder, whose watch the kernel has already removed.
        remindav_forget_folder(self.watch.number, number)
        self.folders[number] = nil
    }

    /// Returns the changes since the last call, without waiting.
    package func changes() -> Changes {
        var changes = Changes()
        var buffer = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe read(self.watch.number, $0.baseAddress, $0.count)
            }
            guard count > 0 else { return changes }
            unsafe buffer.withUnsafeBufferPointer { bytes in
                var place = 0
                while true {
                    var folder: Int32 = 0
                    var name: UnsafePointer<CChar>?
                    let next = unsafe remindav_next_event(bytes.baseAddress, count, place, &folder, &name)
                    guard next > 0 else { return }
                    place = next
                    if folder < 0 {
                        changes.files = nil
                    } else if let paths = self.folders[folder]?.keys {
                        let name = unsafe name.map { unsafe String(cString: $0) }
                        for path in paths {
                            if let name {
                                changes.files?[path, default: []].insert(name)
                            } else {
                                changes.gone.insert(path)
                            }
                        }
                    }
                }
            }
        }
    }
}
