public import HTTP

/// The trusted authorities or key of a connection, and the client's certificate.
///
/// There is no option that accepts every certificate. See docs/decisions/0015.
public struct TLSOptions: Sendable {
    /// The path of a PEM file with trusted authorities, in addition to the system's.
    public var authorities: String?
    /// The only accepted key of the server; see ``ServerCertificate/pin``; no authority is asked then, and the
    /// certificate's dates and names do not matter.
    public var pinnedKey: String?
    /// The path of a PEM file.
    public var clientCertificate: String?
    /// The path of a PEM file; `nil` when the certificate's file contains the key.
    public var clientKey: String?
    /// The password of the encrypted key.
    public var keyPassword: Secret?
    /// The system's authorities, and no client certificate.
    public init() {}
}
