internal import RemindavCCurl

/// The functions of libcurl, loaded for the first connection (docs/decisions/0028).
enum CurlLibrary {
    private static let name = "libcurl.so.4"
    /// `nil` if libcurl is missing or lacks a function; the table is never changed or freed, so any thread may read it.
    nonisolated(unsafe) static let functions: RemindavCurlLibrary? = load(named: name)

    /// Loads the library and initialises its global state, before any thread uses it.
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
