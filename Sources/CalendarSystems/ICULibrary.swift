internal import RemindavCICU

/// The functions of ICU, loaded for the first rule in another calendar (docs/decisions/0079).
struct ICULibrary: @unchecked Sendable {
    /// The versions that are tried, the newest first.
    ///
    /// The name of the library and the names of its functions contain the version, and ICU has about two versions a year:
    /// 72 in Debian 12, 76 in Debian 13. Newer versions have the same functions, because these are stable. The oldest
    /// version is that of Debian 10.
    static let versions = 63...99
    /// `nil` if the library is missing or lacks a function.
    static let system = ICULibrary.load(named: String(cString: remindav_icu_name()))

    // The table is never changed, so any thread may read it.
    let functions: RemindavICU

    static func load(named name: String) -> ICULibrary? {
        let functions = UnsafeMutablePointer<RemindavICU>.allocate(capacity: 1)
        defer { functions.deallocate() }
        for version in Self.versions.reversed() where remindav_load_icu(name, Int32(version), functions) != 0 {
            return ICULibrary(functions: functions.pointee)
        }
        return nil
    }
}
