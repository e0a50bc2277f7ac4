/**
 * Runs a command of `rowgate` in this process: starting a process takes many times as long as most commands. What
 * `src/cli/main.ts` does for every command is repeated here; `program/command-line.test.ts` tests it there.
 */
import {
  checkOptions,
  checkPositionals,
  readArguments,
  UsageError,
} from '../../src/cli/arguments.js';
import { commands } from '../../src/cli/commands.js';
import { configure } from '../../src/cli/configure.js';
import { messageOf } from '../../src/gateway/error-message.js';
import { ConfigurationError } from '../../src/gateway/option.js';
import { type CommandResult, runCommand } from './program.js';

/** The commands that print only on their terminal, and start no workers. */
const NAMES: readonly string[] = ['introspect', 'diff', 'push', 'drop', 'check', 'keys', 'allow'];

/** Like `runCommand`, which runs the other commands. */
export async function callCommand(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const [name = '', ...argv] = words;
  if (!NAMES.includes(name)) return runCommand(words, environment);
  let stdout = '';
  let stderr = '';
  const terminal = {
    print: (line: string) => void (stdout += `${line}\n`),
    report: (line: string) => void (stderr += `${line}\n`),
    paint: (_color: string, text: string) => text,
    isTerminal: false,
  };
  const code = await call().catch((error: unknown) => {
    const isUsage = error instanceof UsageError || error instanceof ConfigurationError;
    const message = messageOf(error);
    const end = /[.?]$/.test(message) ? '' : '.';
    terminal.report(`rowgate: ${message}${isUsage ? `${end} See rowgate ${name} --help.` : ''}`);
    return isUsage ? 2 : 1;
  });
  return { code, stdout, stderr };

  async function call(): Promise<number> {
    const command = await commands.find((each) => each.name === name)?.load();
    if (!command) throw new Error(`There is no command ${name}.`);
    const given = readArguments(argv, command);
    checkOptions(given.options, command);
    const host = { cores: 1 };
    const configured = await configure({ argv: given.options, environment, host }, command);
    checkPositionals(given.positionals, command);
    return command.run({ arguments: given, ...configured, environment, terminal });
  }
}
