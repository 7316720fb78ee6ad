import Glibc
import RemindavBridge
import RemindavHost
import RemindavPlatform

struct ManageHostKey: Command {
    static let page = CommandPage(
        name: "host key",
        summary: "Create and rotate the key that seals the passwords of tenants",
        usage: ["new FILE", "rotate --new SETTING"],
        operands: [
            Operand("ACTION", .once, "new or rotate"),
            Operand("FILE", .optional, "The file to create; only you can read it"),
        ],
        options: [Option("--new", value: "SETTING", "The place of the new key, in the form of the setting 'host-key'")],
        details: """
            The passwords of tenants are sealed with the key that the setting 'host-key' names: a
            file with 64 hexadecimal digits, a credential of systemd (credential:NAME), or the first
            line that a shell command prints (command:WORDS). Keep a copy of the key apart from the
            backup of the database: without the key, no password can be read.

            A rotation wraps the keys of all tenants under the new key, and can be repeated after
            an interruption. Stop the workers before it, and change the setting after it.
            """,
        examples: [
            "remindav host key new /etc/remindav/host.key": "creates a key",
            "remindav host key rotate --new /etc/remindav/new.key": "replaces the key of the setting",
        ],
        exits: [.locked]
    )

    private enum Action { case new(String), rotate(SecretSource) }

    private let action: Action

    init(_ arguments: inout Arguments) throws(UsageError) {
        let word = try arguments.operand("ACTION")
        let file = arguments.optionalOperand()
        let place = arguments.value("--new")
        switch word {
        case "new":
            guard let file else { throw UsageError(.missingOperand, "FILE is missing: the file to create.") }
            guard place == nil else { throw UsageError(.badValue, "'--new' is only for 'host key rotate'.") }
            self.action = .new(System.absolute(file))
        case "rotate":
            guard file == nil else { throw UsageError(.tooManyOperands, "'host key rotate' has no FILE.") }
            guard let place else { throw UsageError(.missingValue, "'--new SETTING' is missing: the new key.") }
            guard let source = SecretSource(place) else {
                throw UsageError(
                    .badValue,
                    "'--new' must be a path that begins with /, credential:NAME, or command:WORDS."
                )
            }
            self.action = .rotate(source)
        default:
            throw UsageError(
                .badValue,
                "'\(Sanitizer.excerpt(word))' is not an action. The actions are new and rotate."
            )
        }
    }

    func run(in context: Context) async throws -> ExitStatus {
        switch self.action {
        case .new(let path):
            do throws(SystemError) {
                try SecretSource.createHostKey(path, randomBytes: Configuration.systemRandomBytes)
            } catch {
                if error.number == ENOENT { throw FileError(code: .folderNotFound, path: path) }
                throw System.error(path, number: error.number)
            }
            try context.output.note("Created the key \(Sanitizer.line(path))")
            // The setting names the old key until all keys of tenants are wrapped under the new one.
            context.output.remark(
                advice: context.settings.hostKey == nil
                    ? "Next: remindav config set host-key \(path.shellWord)"
                    : "Next: stop the processes of the host, then run 'remindav host key rotate --new \(path.shellWord)'. "
                        + "Do not change the setting 'host-key' before."
            )
            return .success
        case .rotate(let source): return try self.rotate(to: source, context)
        }
    }

    private func rotate(to source: SecretSource, _ context: Context) throws -> ExitStatus {
        let host = try context.settings.connectedHost()
        let rotation = try host.rotateKey(to: source, credentials: context.environment["CREDENTIALS_DIRECTORY"])
        try context.output.note(
            rotation.rewrapped == 0 && rotation.unreadable == 0
                ? "No key of a tenant is under another key of the host"
                : "Wrapped the keys of \(rotation.rewrapped.counted("tenant")) under the new key"
        )
        if rotation.unreadable > 0 {
            context.output.complain(
                Explanation(
                    "hostKeyWrong",
                    "The keys of \(rotation.unreadable.counted("tenant")) are under neither of the two keys.",
                    advice:
                        "Keep both keys, and repeat the command with the right ones. The setting 'host-key' must name the old "
                        + "key.",
                    status: .failure
                )
            )
            return .failure
        }
        context.output.remark(
            advice: "Next: remindav config set host-key \(source.text.shellWord), then start the processes of the host."
        )
        let others = try host.otherConnections()
        if others > 0 {
            context.output.complain(
                "Other processes are connected to the database (\(others.counted("connection"))). Those of 'host run' use "
                    + "the old key until they are restarted."
            )
        }
        return .success
    }
}
