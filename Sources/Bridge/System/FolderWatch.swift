import CWaiting

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

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
    private var folders: [Int32: String] = [:]

    init() throws(SystemError) {
        self.watch = Descriptor(remindav_new_watch())
        guard self.watch.number >= 0 else { throw .last("inotify") }
    }

    /// Can be read when there is news.
    var descriptor: Int32 { self.watch.number }

    /// Tells of files that change in a folder from now on; a folder that is watched already is not watched twice.
    func add(_ folder: String, _ depth: Depth = .contents) throws(SystemError) {
        let number = unsafe remindav_watch_folder(self.watch.number, folder, depth == .contents ? 1 : 0)
        guard number >= 0 else { throw .last(folder) }
        self.folders[number] = folder
    }

    /// Watches a folder no more; one that is not watched is none.
    func remove(_ folder: String) {
        for (number, path) in self.folders where path == folder {
            // The system has forgotten one that is gone.
            remindav_forget_folder(self.watch.number, number)
            self.folders[number] = nil
        }
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
                    } else if let path = self.folders[folder] {
                        if let name = unsafe name {
                            news.files?[path, default: []].insert(unsafe String(cString: name))
                        } else {
                            news.gone.insert(path)
                        }
                    }
                }
            }
        }
    }
}
