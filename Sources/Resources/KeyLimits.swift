/// The limit of texts that identify an object in a store: UIDs, and addresses of objects and lists.
public enum KeyLimits {
    /// In UTF-8.
    ///
    /// Keys of a PostgreSQL index have at most 2,704 bytes, and some have two such texts.
    public static let maximumBytes = 1024

    /// Whether a text can be a key.
    public static func allows(_ text: String) -> Bool { text.utf8.count <= self.maximumBytes }
}
