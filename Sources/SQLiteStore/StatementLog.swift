#if DEBUG
import Glibc
import Synchronization

/// Appends each prepared statement once to the file whose path is in `REMINDAV_STATEMENTS`, for Tests/statements.py.
enum StatementLog {
    private static let file: Int32? = getenv("REMINDAV_STATEMENTS").map {
        open($0, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    }

    private static let known = Mutex<Set<String>>([])

    static func append(_ sql: String) {
        guard let file = self.file, self.known.withLock({ $0.insert(sql).inserted }) else { return }
        let bytes = Array(sql.utf8) + [0]
        _ = write(file, bytes, bytes.count)
    }
}
#endif
