package import RemindavBridge
import RemindavICalendar
package import RemindavPlatform

extension SecretSource {
    /// Creates a file with a new key of a host; only the user of this process can read it.
    ///
    /// - Parameter randomBytes: returns this number of random bytes.
    /// - Throws: `SystemError` with EEXIST if there is a file.
    package static func createHostKey(_ path: String, randomBytes: (Int) -> [UInt8]) throws(SystemError) {
        try PrivateFile.create(path, Array((HostKey.random(randomBytes).hexadecimal + "\n").utf8))
    }

    /// Reads the key of a host.
    ///
    /// - Parameter credentials: the folder with the credentials of the service; `nil` outside a service.
    /// - Throws: `hostKeyNotReadable`, `hostKeyOpenToOthers` or `hostKeyNotValid`.
    package func key(credentials: String?) throws(UseCaseError) -> HostKey {
        switch self.content(limit: HostKey.maximumTextBytes, credentials: credentials) {
        case .line(let text):
            guard let key = HostKey(hexadecimal: text) else {
                throw UseCaseError(.hostKeyNotValid, subject: self.subject)
            }
            return key
        case .openToOthers: throw UseCaseError(.hostKeyOpenToOthers, subject: self.subject)
        case .notReadable(let reason):
            throw UseCaseError(.hostKeyNotReadable, subject: self.subject.map { "\($0): \(reason)" } ?? reason)
        }
    }

    /// The subject of an error; a command may contain secrets, so it is not shown.
    private var subject: String? {
        switch self {
        case .file(let path): path
        case .credential(let name): name
        case .command: nil
        }
    }
}
