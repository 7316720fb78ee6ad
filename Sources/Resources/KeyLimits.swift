/// The length limit of texts that identify an object in a store: UIDs, and addresses of objects and lists.
public enum KeyLimits {
    /// The largest length in UTF-8 bytes.
    ///
    /// A key of a PostgreSQL index has at most 2,704 bytes, and some keys contain two of these texts.
    public static let maximumBytes = 1024

    /// Whether a text is short enough for a key.
    public static func allows(_ text: String) -> Bool { text.utf8.count <= self.maximumBytes }
}
