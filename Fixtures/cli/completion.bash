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
