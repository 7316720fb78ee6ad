struct PrintCompletion: Command {
    static let page = CommandPage(
        name: "completion",
        summary: "Print a completion script for a shell",
        usage: ["bash|zsh|fish"],
        operands: [Operand("SHELL", .once, "bash, zsh or fish")],
        details: """
            The TAB key then completes commands, options, numbers of reminders, and names of lists,
            labels and accounts. The script calls remindav for the answers, so it stays valid after
            an update. Completion only reads the store.

            Locations of the script:
              bash  ~/.local/share/bash-completion/completions/remindav
              zsh   a file _remindav in a folder of $fpath, before compinit
              fish  ~/.config/fish/completions/remindav.fish
            For one session of bash or zsh: source <(remindav completion bash).
            """,
        examples: [
            "remindav completion bash > ~/.local/share/bash-completion/completions/remindav": "for all new sessions",
            "remindav completion fish | source": "for this session",
        ]
    )

    static let needsSettings = false

    let shell: Shell

    init(_ arguments: inout Arguments) throws(UsageError) {
        let word = try arguments.operand("The shell (bash, zsh or fish)")
        guard let shell = Shell(rawValue: word.lowercased()) else {
            throw UsageError(.badValue, "The shell must be bash, zsh or fish, not '\(word)'.")
        }
        self.shell = shell
    }

    func run(in context: Context) async throws -> ExitStatus {
        try context.output.write(Array(self.shell.script.utf8))
        return .success
    }
}
