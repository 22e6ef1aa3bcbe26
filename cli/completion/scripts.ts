/*
 * Shell completion scripts. They call the program itself, so the candidates are always current. Each output line of the
 * program has a word, a tab and a description. The line `:files` tells the script to offer file names instead.
 */

const bash = `# tollgate completion for bash
_tollgate() {
  local word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    case $word in
      :files)
        # Bash 3 has no compopt.
        compopt -o default 2>/dev/null || while IFS= read -r word; do
          COMPREPLY+=("$word")
        done < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}") ;;
      *) COMPREPLY+=("$word") ;;
    esac
  done < <(tollgate __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _tollgate tollgate
`

const zsh = `#compdef tollgate
# tollgate completion for zsh
_tollgate() {
  local word meaning files
  local -a found
  while IFS=$'\\t' read -r word meaning; do
    if [[ $word == :files ]]; then
      files=1
    else
      found+=("\${word//:/\\\\:}:$meaning")
    fi
  done < <(tollgate __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then
    _describe -t tollgate tollgate found
  elif [[ -n $files ]]; then
    _files
  fi
}
compdef _tollgate tollgate
`

const fish = `# tollgate completion for fish
function __tollgate_complete
    set -l found (tollgate __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
    if contains -- :files $found
        __fish_complete_path (commandline -ct)
    else if test (count $found) -gt 0
        printf '%s\\n' $found
    end
end
complete -c tollgate -f -a '(__tollgate_complete)'
`

export const SCRIPTS = { bash, zsh, fish } as const
