/// The scripts that make shells complete the words of `news`.
///
/// They hold no list of commands or options: on TAB they ask the program, and its answer is data
/// that the shell never evaluates.
package enum CompletionScript: String, CaseIterable, Sendable {
  case bash, zsh, fish

  package var text: String {
    switch self {
    case .bash: Self.bashText
    case .zsh: Self.zshText
    case .fish: Self.fishText
    }
  }

  private static let bashText = #"""
    # Completes the words of news in bash: source <(news completions bash)
    _news() {
      local program=${COMP_WORDS[0]} mode=insert kind= line
      case $program in
        '~/'*) program=$HOME/${program:2} ;;
        */*) ;;
        *) program=news ;;
      esac
      if [[ ${COMP_TYPE:-9} == 63 ]]; then mode=list; fi
      COMPREPLY=()
      while IFS= read -r line; do
        if [[ -z $kind ]]; then kind=$line; else COMPREPLY+=("$line"); fi
      done < <(command "$program" __complete bash "$mode" -- "$COMP_WORDBREAKS" \
        "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
      case $kind in
        files) compopt -o default 2>/dev/null ;;
        folders) compopt -o dirnames 2>/dev/null ;;
      esac
      # Behind a colon stands a value.
      [[ ${COMPREPLY[*]} == *: ]] && compopt -o nospace 2>/dev/null
      return 0
    }
    complete -o nosort -F _news news 2>/dev/null || complete -F _news news

    """#

  private static let zshText = #"""
    #compdef news
    # Completes the words of news in zsh: source <(news completions zsh), after compinit
    _news() {
      local program=${(Q)words[1]} line
      local -i width=0
      local -a answer values shown colon
      case $program in
        '~/'*) program=$HOME/${program#'~/'} ;;
        */*) ;;
        *) program=news ;;
      esac
      answer=("${(@f)$(command "$program" __complete zsh insert -- '' \
        "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
      case $answer[1] in
        files|folders)
          [[ $PREFIX == --*=* ]] && compset -P 1 '*='
          if [[ $answer[1] == files ]]; then _files; else _files -/; fi
          ;;
        words)
          for line in "${(@)answer[2,-1]}"; do
            values+=("${line%%$'\t'*}")
            (( $#values[-1] > width && (width = $#values[-1]) ))
          done
          for line in "${(@)answer[2,-1]}"; do
            shown+=("${(r:width:)line%%$'\t'*}  ${line#*$'\t'}")
          done
          # Behind a colon stands a value.
          [[ $#values == 1 && $values[1] == *: ]] && colon=(-S '')
          (( $#values )) && compadd -U -l -V news "${(@)colon}" -d shown -a values
          ;;
      esac
    }
    if [[ $funcstack[1] == _news ]]; then
      _news "$@"
    else
      compdef _news news
    fi

    """#

  private static let fishText = #"""
    # Completes the words of news in fish: news completions fish | source
    function __news_complete
        set -l words (commandline -opc)
        set -l current (commandline -ct)
        set -l program news
        string match -q '*/*' -- $words[1]; and set program (string replace -r '^~/' "$HOME/" -- $words[1])
        command -q $program; or return
        set -l answer (command $program __complete fish insert -- '' $words[2..] "$current" 2>/dev/null)
        set -l before (string match -r '^--[^=]*=' -- $current)
        set -l rest (string replace -r '^--[^=]*=' '' -- $current)
        switch "$answer[1]"
            case files
                printf '%s\n' "$before"(__fish_complete_path $rest)
            case folders
                printf '%s\n' "$before"(__fish_complete_directories $rest '')
            case words
                printf '%s\n' $answer[2..]
        end
    end
    complete -c news -e
    complete -c news -k -f -a '(__news_complete)'

    """#
}
