public import HTTP

/// Whom a connection trusts, and how this side proves itself below HTTP.
///
/// There is no way to trust everybody. See docs/decisions/0015.
public struct TLSOptions: Sendable {
    /// The path of a PEM file with certificates of authorities that are trusted beside the system's.
    public var authorities: String?
    /// The only key that the server may have; see ``ServerCertificate/pin``.
    ///
    /// No authority is asked then, and the certificate's dates and names do not matter.
    public var pinnedKey: String?
    /// The path of the PEM file with the certificate that signs us in.
    public var clientCertificate: String?
    /// The path of the PEM file with its key, `nil` when the certificate's file holds it.
    public var clientKey: String?
    /// What the key is encrypted with.
    public var keyPassword: Secret?

    /// The system's authorities, and no certificate of our own.
    public init() {}
}
