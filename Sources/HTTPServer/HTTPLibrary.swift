import RemindavCMicroHTTPD

/// The functions of libmicrohttpd, which is loaded when the first server starts (docs/decisions/0028).
enum HTTPLibrary {
    private static let name = "libmicrohttpd.so.12"
    /// `nil` if libmicrohttpd is missing or lacks a function; it is never changed or freed, so any thread may read it.
    nonisolated(unsafe) static let functions: RemindavHTTPLibrary? = load(named: name)

    static func load(named name: String) -> RemindavHTTPLibrary? {
        let functions = UnsafeMutablePointer<RemindavMicroHTTPD>.allocate(capacity: 1)
        guard remindav_load_http(name, functions) != 0 else {
            functions.deallocate()
            return nil
        }
        return RemindavHTTPLibrary(functions)
    }
}
