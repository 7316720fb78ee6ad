import RemindavPlatform

extension [String: String] {
    /// The name of the locale for characters: LC_ALL, LC_CTYPE or LANG; `nil` if none is set.
    var characterLocale: String? { ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { self.variable($0) }.first }

    /// Whether the locale is set, and is not a locale for UTF-8.
    var hasOtherLocaleThanUTF8: Bool { self.characterLocale.map { !Self.isUTF8($0) } ?? false }

    static func isUTF8(_ locale: String) -> Bool {
        let folded = locale.lowercased()
        return folded.contains("utf-8") || folded.contains("utf8")
    }
}
