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
