/// The part of a header User-Agent that a record of visits keeps.
enum RecordedAgent {
    /// The maximum length in bytes; it is enough for the name and version of each known subscriber.
    static let maximumBytes = 100
    /// The maximum length of one word in bytes; a longer one could be a secret, such as the token of a feed.
    static let maximumWordBytes = 31

    /// The words of printable ASCII letters that can be no address of a machine, of a person or of a page.
    static func text(_ userAgent: String) -> String {
        var text = ""
        for word in userAgent.utf8.prefix(Self.maximumRead).split(separator: UInt8(ascii: " ")) {
            let word = String(decoding: word.filter { (0x21...0x7E).contains($0) }, as: UTF8.self)
            guard !word.isEmpty, word.utf8.count <= Self.maximumWordBytes, !self.isAddress(word) else { continue }
            guard text.utf8.count + word.utf8.count < Self.maximumBytes else { break }
            text += text.isEmpty ? word : " \(word)"
        }
        return text
    }

    /// The number of bytes of the header that are read; names of programs are at the start.
    private static let maximumRead = 500

    private static func isAddress(_ word: String) -> Bool {
        if word.contains("@") || word.contains("//") || word.lowercased().contains("www.") { return true }
        // A version such as 115.5.0 has fewer numbers than an address of IPv4; an address of IPv6 has colons.
        let numbers = word.split { !$0.isASCII || !($0.isNumber || $0 == ".") }
        return word.split(separator: ":", omittingEmptySubsequences: false).count > 2
            || numbers.contains { part in
                let bytes = part.split(separator: ".", omittingEmptySubsequences: false)
                return bytes.count == 4 && bytes.allSatisfy { UInt8($0) != nil }
            }
    }
}
