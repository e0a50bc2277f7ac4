/** `rowgate completion`: a script that completes commands and flags in a shell. */
import { allOptions } from '../gateway/config.js';
import { UsageError } from './arguments.js';
import type { Command, CommandEntry } from './command.js';

/** The command, which completes the others, too. */
export function completion(commands: readonly CommandEntry[]): Command {
  return {
    positionals: ['SHELL'],
    flags: {},
    options: [],
    examples: [
      'completion bash > ~/.local/share/bash-completion/completions/rowgate',
      'completion zsh > "${fpath[1]}/_rowgate"',
      'completion fish > ~/.config/fish/completions/rowgate.fish',
    ],
    run: async ({ arguments: { positionals }, terminal }) => {
      const [shell = ''] = positionals;
      const script = scripts.get(shell);
      if (!script) throw new UsageError(`completion takes bash, zsh or fish, not '${shell}'.`);
      terminal.print(script(await Promise.all(commands.map(wordsOf))));
      return 0;
    },
  };
}

interface CommandWords {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly string[];
}

async function wordsOf({ name, summary, load }: CommandEntry): Promise<CommandWords> {
  const { flags } = await load();
  const options = allOptions().map(([, { flag }]) => flag);
  return { name, summary, flags: [...Object.keys(flags), 'help', ...options] };
}

type Script = (commands: readonly CommandWords[]) => string;

const scripts: ReadonlyMap<string, Script> = new Map([
  ['bash', bashScript],
  ['zsh', zshScript],
  ['fish', fishScript],
]);

function flagList({ flags }: CommandWords): string {
  return flags.map((flag) => `--${flag}`).join(' ');
}

function bashScript(commands: readonly CommandWords[]): string {
  return `_rowgate() {
  local current=\${COMP_WORDS[COMP_CWORD]} words
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${commands.map(({ name }) => name).join(' ')} --help --version'
  else
    case \${COMP_WORDS[1]} in
${commands.map((each) => `      ${each.name}) words='${flagList(each)}' ;;`).join('\n')}
      *) return ;;
    esac
    [[ $current == -* ]] || return
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _rowgate rowgate`;
}

function zshScript(commands: readonly CommandWords[]): string {
  const described = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  return `#compdef rowgate
_rowgate() {
  local -a commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local -a flags
  case $words[2] in
${commands.map((each) => `    ${each.name}) flags=(${flagList(each)}) ;;`).join('\n')}
  esac
  if [[ $words[CURRENT] == -* ]]; then compadd -- $flags; else _files; fi
}
if [[ $funcstack[1] == _rowgate ]]; then _rowgate "$@"; else compdef _rowgate rowgate; fi`;
}

function fishScript(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap(({ name, summary, flags }) => [
    `complete -c rowgate -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ...flags.map(
      (flag) => `complete -c rowgate -n '__fish_seen_subcommand_from ${name}' -l ${flag}`,
    ),
  ]);
  return lines.join('\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
