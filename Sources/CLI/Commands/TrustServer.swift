import Bridge

struct TrustServer: Command {
    static let page = CommandPage(
        name: "account trust",
        group: .servers,
        summary: "Show the certificate of a server and trust its key",
        usage: ["PLACE [--yes]"],
        operands: [Operand("PLACE", .once, "An account's name, a host, or an address that begins with https://")],
        options: [Option("--yes", short: "y", "Do not ask; compare the fingerprint first")],
        details: [
            """
            For your own server with a certificate that no authority has signed. Compare the
            fingerprint with the output of this command on the server:
              openssl x509 -in CERTIFICATE -noout -fingerprint -sha256
            The account then accepts only a server with this key. Certificate authorities are
            ignored, and a renewed certificate with the same key is accepted. 'remindav account
            set NAME --trust-key none' reverts this.
            """
        ],
        examples: [.init("remindav account trust nas.example:8443", "shows the certificate and asks")],
        exits: [.network]
    )

    let place: String
    let isSure: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.place = try ArgumentValues.name(arguments.operand("PLACE"), of: "The place")
        self.isSure = arguments.flag("--yes")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases(.temporary)
        let certificate = try await useCases.certificate(of: self.place)
        try context.output.print(Self.description(certificate))
        let untrusting = certificate.accounts.filter { !certificate.trustedBy.contains($0) }
        guard !certificate.accounts.isEmpty else {
            context.output.remark(
                "No account has this server. If the fingerprint is right, add one: "
                    + "remindav account add \(certificate.address) --user NAME --trust-key \(certificate.key)"
            )
            return .success
        }
        guard !untrusting.isEmpty else {
            try context.output.note("This key is trusted already")
            return .success
        }
        guard try self.isSure || context.confirm(Self.question) else {
            try context.output.note("Nothing was changed")
            return .success
        }
        for name in untrusting {
            _ = try useCases.set([.trustKey: certificate.key], for: name)
            try context.output.note("The account \(Sanitizer.line(name)) trusts this key now, and no other")
        }
        return .success
    }

    static let question = "Is this the fingerprint that the server itself shows? Trust its key?"

    /// For comparison by the user.
    static func description(_ certificate: CertificateView) -> StyledText {
        Table.text([
            ["Server", certificate.address], ["Names", certificate.subject], ["Signed by", certificate.issuer],
            ["Valid", "\(certificate.validFrom) to \(certificate.validUntil)"],
            ["Fingerprint", "SHA-256 \(certificate.fingerprint)"], ["Key", certificate.key],
        ])
    }
}
