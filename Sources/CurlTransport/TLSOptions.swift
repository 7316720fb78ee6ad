public import RemindavHTTP

/// The trusted authorities or key of a connection, and the client's certificate.
///
/// There is no option that accepts every certificate. See docs/decisions/0015.
public struct TLSOptions: Sendable {
    /// The path of a PEM file with trusted authorities, in addition to the system's.
    public var authorities: String?
    /// The only accepted public key of the server (``ServerCertificate/pin``); `nil` accepts every trusted certificate.
    ///
    /// With a pinned key, the authorities, dates and names of the certificate are not checked.
    public var pinnedKey: String?
    /// The path of a PEM file with the client certificate.
    public var clientCertificate: String?
    /// The path of a PEM file with the private key; `nil` when the file of the certificate contains the key.
    public var clientKey: String?
    /// The password of the private key, if the key is encrypted.
    public var keyPassword: Secret?
    /// Creates options with the system's authorities and without a client certificate.
    public init() {}
}
