enum Shell: String, Hashable, Sendable, CaseIterable {
    case bash, zsh, fish
}

extension Shell {
    func reading(_ words: [String]) -> (before: [String], current: ShellWord) {
        var words = words
        let last = words.popLast() ?? ""
        switch self {
        // The script of zsh has removed quotation marks, and fish filters the candidates itself.
        case .zsh, .fish: return (words, ShellWord(text: last))
        // bash splits '--list=Work' into three words and completes the last one.
        case .bash:
            var before: [String] = []
            for word in words {
                if word == "=", before.last?.hasPrefix("--") == true { continue }
                before.append(ShellWord(bash: word).text)
            }
            // It splits '@Work' too.
            if last == QuickWord.listSign { return (before + [last], ShellWord(text: "")) }
            let isBehindEquals = last == "=" && before.last?.hasPrefix("--") == true
            return (before, isBehindEquals ? ShellWord(text: "") : ShellWord(bash: last))
        }
    }

    /// The lines for the completion script, one for each answer without control characters; for bash, escaped.
    func lines(_ answers: [Candidate], prefix: String, behind word: ShellWord) -> [String] {
        answers.compactMap { answer in
            guard !answer.value.isEmpty, !answer.value.unicodeScalars.contains(where: { Sanitizer.isDangerous($0) })
            else { return nil }
            switch self {
            case .bash: return word.completing(prefix + answer.value)
            case .zsh, .fish:
                let note = Sanitizer.excerpt(answer.note)
                return prefix + answer.value + (note.isEmpty ? "" : "\t\(note)")
            }
        }
    }

    var needsFilteredCandidates: Bool { self == .bash }

    /// The completion script; it calls this program for the candidates and contains no names of commands.
    var script: String {
        switch self {
        case .bash:
            #"""
            # Completes the words of remindav in bash. Made by 'remindav completion bash'.
            _remindav() {
                local kind= line
                COMPREPLY=()
                while IFS= read -r line; do
                    if [[ -z $kind ]]; then kind=$line; else COMPREPLY+=("$line"); fi
                done < <(command remindav __complete bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null < /dev/null)
                case $kind in
                    files) compopt -o default 2> /dev/null ;;
                    folders) compopt -o dirnames 2> /dev/null ;;
                esac
                return 0
            }
            complete -o nosort -F _remindav remindav 2> /dev/null || complete -F _remindav remindav

            """#
        case .zsh:
            #"""
            #compdef remindav
            # Completes the words of remindav in zsh. Made by 'remindav completion zsh'.
            _remindav() {
                local kind value note
                local -a values notes shown
                local -i width=0 place
                {
                    IFS= read -r kind || return 1
                    while IFS=$'\t' read -r value note; do
                        values+=("$value")
                        notes+=("$note")
                        (( width < ${#value} && (width = ${#value}) ))
                    done
                } < <(command remindav __complete zsh -- "${(@Q)words[2,CURRENT]}" 2> /dev/null < /dev/null)
                for (( place = 1; place <= ${#values}; place++ )); do
                    shown+=("${(r:width:)values[place]}${notes[place]:+  -- ${notes[place]}}")
                done
                case $kind in
                    files) _files ;;
                    folders) _files -/ ;;
                    words) compadd -V remindav -l -d shown -a values ;;
                esac
            }
            if [[ ${funcstack[1]-} == _remindav ]]; then _remindav "$@"; else compdef _remindav remindav; fi

            """#
        case .fish:
            #"""
            # Completes the words of remindav in fish. Made by 'remindav completion fish'.
            function __remindav_complete
                set -l words (commandline -opc)
                set -e words[1]
                set -l current (commandline -ct)
                set -l lines (command remindav __complete fish -- $words "$current" 2> /dev/null < /dev/null)
                set -l kind $lines[1]
                set -e lines[1]
                switch "$kind"
                    case files
                        __fish_complete_path "$current"
                    case folders
                        __fish_complete_directories "$current"
                    case words
                        test (count $lines) -gt 0; and printf '%s\n' $lines
                end
            end
            complete -c remindav -e
            complete -c remindav -f -k -a '(__remindav_complete)'

            """#
        }
    }
}

/// The typed part of a word, with the quotation mark that is open at its end.
struct ShellWord: Hashable, Sendable {
    var text: String
    var quote: Character?
}

extension ShellWord {
    /// Parses a word in the syntax of bash, without expansion of variables.
    init(bash word: String) {
        var text = String.UnicodeScalarView()
        var quote: Unicode.Scalar?
        var signs = word.unicodeScalars[...]
        while let sign = signs.popFirst() {
            switch (sign, quote) {
            case ("'", "'"), ("\"", "\""): quote = nil
            case ("'", nil), ("\"", nil): quote = sign
            case ("\\", nil): signs.popFirst().map { text.append($0) }
            case ("\\", "\""):
                let next = signs.popFirst() ?? "\\"
                if !Self.special.contains(next) { text.append("\\") }
                text.append(next)
            default: text.append(sign)
            }
        }
        self.init(text: String(text), quote: quote.map(Character.init))
    }

    /// The text escaped so that bash runs no part of it; `nil` if no escape exists after the open quotation mark.
    ///
    /// It works on Unicode scalars, as bash does, because a grapheme may contain a special character of bash.
    func completing(_ text: String) -> String? {
        var result = String.UnicodeScalarView()
        switch self.quote {
        case "'": return text.unicodeScalars.contains("'") ? nil : text
        case "\"":
            // Inside double quotes, no escape of '!' is correct for all settings of bash.
            guard !text.unicodeScalars.contains("!") else { return nil }
            for sign in text.unicodeScalars {
                result.append(contentsOf: Self.special.contains(sign) ? ["\\", sign] : [sign])
            }
        default:
            for sign in text.unicodeScalars { result.append(contentsOf: Self.isPlain(sign) ? [sign] : ["\\", sign]) }
        }
        return String(result)
    }

    private static let special: [Unicode.Scalar] = ["\\", "\"", "$", "`"]

    private static func isPlain(_ sign: Unicode.Scalar) -> Bool {
        switch sign {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "/", "+", ",": true
        default: !sign.isASCII
        }
    }
}
