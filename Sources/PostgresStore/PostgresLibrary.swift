import RemindavCPostgres

/// The functions of libpq, loaded for the first connection (docs/decisions/0080).
enum PostgresLibrary {
    /// `nil` if libpq 14 or newer is missing; the table is never changed or freed, so any thread may read it.
    nonisolated(unsafe) static let functions: RemindavPostgresLibrary? = load(named: remindav_postgres_name())

    static func load(named name: UnsafePointer<CChar>) -> RemindavPostgresLibrary? {
        let functions = UnsafeMutablePointer<RemindavPostgres>.allocate(capacity: 1)
        guard remindav_load_postgres(name, functions) != 0 else {
            functions.deallocate()
            return nil
        }
        return RemindavPostgresLibrary(functions)
    }
}
