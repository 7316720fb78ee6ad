import Glibc
import RemindavTestSupport

/// OpenSSL's own test server on loopback, with one of the certificates of the end-to-end tests.
///
/// It answers each GET with a page, for the lifetime of this value.
final class TLSServer {
    private let process: pid_t
    let port: Int

    var url: String { "https://127.0.0.1:\(self.port)/" }

    /// - Parameter options: additional arguments of `openssl s_server`.
    init?(_ certificate: String, options: [String] = []) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let file = Self.certificate(certificate)
        let words = ["openssl", "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", file, "-key", file] + options
        guard let child = Self.spawn(words, output: ends[1]) else { return nil }
        close(ends[1])
        self.process = child
        guard let port = Self.port(ends[0]) else {
            kill(child, SIGKILL)
            return nil
        }
        self.port = port
    }

    deinit {
        kill(self.process, SIGKILL)
        var status: Int32 = 0
        waitpid(self.process, &status, 0)
    }

    /// Returns the path of a certificate of the end-to-end tests.
    static func certificate(_ name: String) -> String {
        Fixture.folder + "/../Tests/EndToEndTests/certificates/\(name).pem"
    }

    private static func spawn(_ words: [String], output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var arguments = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var child: pid_t = 0
        return posix_spawnp(&child, words[0], &actions, nil, &arguments, environ) == 0 ? child : nil
    }

    /// Reads the port from the line `ACCEPT 127.0.0.1:40001`.
    private static func port(_ file: Int32) -> Int? {
        var text = ""
        var chunk = [UInt8](repeating: 0, count: 512)
        while true {
            let count = read(file, &chunk, chunk.count)
            guard count > 0 else { return nil }
            text += String(decoding: chunk[..<count], as: UTF8.self)
            for line in text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1)
            where line.hasPrefix("ACCEPT") {
                return line.split(separator: ":").last.flatMap { Int($0) }
            }
        }
    }
}
