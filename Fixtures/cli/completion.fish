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
