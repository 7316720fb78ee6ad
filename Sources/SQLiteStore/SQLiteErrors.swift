import Glibc
import RemindavCSQLite
import RemindavStore

extension DatabaseError {
    /// Creates the error for an extended result code of SQLite.
    /// - Parameter systemError: `errno` of the failed system call, which tells a full disk from other I/O errors.
    init(sqlite result: Int32, systemError: Int32) {
        let code = Self.code(sqlite: result, systemError: systemError)
        if code == .cannotOpen || code == .cannotAccess {
            self.init(code, detail: systemError, reason: Self.reason(systemError))
        } else {
            self.init(code, detail: result, reason: sqlite3_errstr(result).map { String(cString: $0) })
        }
    }

    private static func reason(_ systemError: Int32) -> String? {
        systemError == 0 ? nil : strerror(systemError).map { String(cString: $0) }
    }

    private static func code(sqlite result: Int32, systemError: Int32) -> Code {
        switch result {
        case constraintUnique, constraintPrimaryKey: return .alreadyExists
        case constraintForeignKey: return .notFound
        default: break
        }
        switch result & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED: return .busy
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .corrupt
        case SQLITE_FULL: return .full
        case SQLITE_IOERR where systemError == ENOSPC || systemError == EDQUOT: return .full
        case SQLITE_IOERR: return .cannotAccess
        case SQLITE_READONLY: return .readOnly
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: return .cannotOpen
        default: return .other
        }
    }

    /// Creates the error for the `errno` of a system call on the store's folder or files.
    init(system error: Int32) {
        switch error {
        case ENOSPC, EDQUOT: self.init(.full, detail: error)
        default: self.init(.cannotOpen, detail: error, reason: Self.reason(error))
        }
    }
}

// In SQLite's header, these constants are macros with a shift, which Swift does not import.
private let constraintForeignKey = SQLITE_CONSTRAINT | (3 << 8)
private let constraintPrimaryKey = SQLITE_CONSTRAINT | (6 << 8)
private let constraintUnique = SQLITE_CONSTRAINT | (8 << 8)
