internal import CCurl

/// The functions of libcurl, loaded with the first connection (docs/decisions/0028).
enum CurlLibrary {
    private static let name = "libcurl.so.4"

    /// `nil` when libcurl is not installed or lacks a function.
    ///
    /// Filled in before its first use, and never changed or freed, so any thread may read it.
    nonisolated(unsafe) static let functions: RemindavCurlLibrary? = load(named: name)

    /// Loads the library with this name and initialises its global state, before any thread uses it.
    static func load(named name: String) -> RemindavCurlLibrary? {
        let functions = UnsafeMutablePointer<RemindavCurl>.allocate(capacity: 1)
        guard remindav_load_curl(name, functions) != 0 else {
            functions.deallocate()
            return nil
        }
        _ = functions.pointee.global_init(Int(CURL_GLOBAL_DEFAULT))
        return RemindavCurlLibrary(functions)
    }
}
