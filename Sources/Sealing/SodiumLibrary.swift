import RemindavCSodium

/// The functions of libsodium, loaded when a secret is sealed or opened for the first time (docs/decisions/0081).
enum SodiumLibrary {
    /// `nil` if libsodium is missing; the table is never changed or freed, so any thread may read it.
    nonisolated(unsafe) static let functions: RemindavSodiumLibrary? = load(named: remindav_sodium_name())

    static func load(named name: UnsafePointer<CChar>) -> RemindavSodiumLibrary? {
        let functions = UnsafeMutablePointer<RemindavSodium>.allocate(capacity: 1)
        guard remindav_load_sodium(name, functions) != 0 else {
            functions.deallocate()
            return nil
        }
        return RemindavSodiumLibrary(functions)
    }
}
