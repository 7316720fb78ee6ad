/// INTEGER: a whole number of 32 bits with a sign (RFC 5545 §3.3.8).
public enum IntegerValue {
    /// Reads `1`, `+1`, `-01`.
    ///
    /// - Returns: `nil` for anything else, also for a number beyond 32 bits.
    public static func parse(_ wire: String) -> Int? {
        // Leading zeros count towards this too; nobody writes that many.
        guard wire.utf8.count <= 16, let number = Int32(wire) else { return nil }
        return Int(number)
    }
}
