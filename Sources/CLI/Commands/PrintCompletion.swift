/// `completion SHELL`: prints the script that completes the words of this program.
struct PrintCompletion: Command {
    static let page = CommandPage(
        name: "completion",
        group: .help,
        summary: "Print a script that completes words for your shell",
        usage: ["bash|zsh|fish"],
        operands: [Operand("SHELL", .once, "bash, zsh or fish")],
        details: [
            """
            The TAB key then completes commands, options, numbers of reminders, and the names
            of lists, labels and accounts. The script asks remindav itself, so that it stays
            right when remindav changes. It only looks, and makes nothing.
            """,
            """
            Where it goes:
              bash  ~/.local/share/bash-completion/completions/remindav
              zsh   a file _remindav in a folder of $fpath, before compinit
              fish  ~/.config/fish/completions/remindav.fish
            For one session of bash or zsh: source <(remindav completion bash).
            """,
        ],
        examples: [
            .init("remindav completion bash > ~/.local/share/bash-completion/completions/remindav", "from now on"),
            .init("remindav completion fish | source", "for this session"),
        ]
    )

    static let needsSettings = false

    let shell: Shell

    init(_ arguments: inout Arguments) throws(UsageError) {
        let word = try arguments.operand("bash, zsh or fish")
        guard let shell = Shell(rawValue: word.lowercased()) else {
            throw UsageError(.badValue, "There is a script for bash, zsh and fish, not for '\(word)'.")
        }
        self.shell = shell
    }

    func run(in context: Context) async throws -> ExitStatus {
        try context.output.write(Array(self.shell.script.utf8))
        return .success
    }
}
