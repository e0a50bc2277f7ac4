#!/usr/bin/env node
/**
 * The command line: the only place that reads the process's arguments and environment and sets its exit
 * code. The exit code is 0 for success, 1 for an error, which is printed, and 2 for wrong usage.
 */
import { availableParallelism } from 'node:os';
import { readConfiguration } from '../gateway/config.js';
import { ConfigurationError } from '../gateway/option.js';
import { allow } from './allow.js';
import { checkPositionals, readArguments, UsageError } from './arguments.js';
import { check } from './check.js';
import type { Command, Terminal } from './command.js';
import { diff } from './diff.js';
import { introspect } from './introspect.js';
import { drop, push } from './push-drop.js';
import { keys } from './keys.js';
import { plan, query } from './query.js';
import { programVersion } from '../project/gateway-options.js';
import { serve } from './serve.js';
import { exportRows, importRows } from './transfer.js';
import { types } from './types.js';
import { usageText } from './usage.js';

const commands: readonly Command[] = [
  serve,
  push,
  drop,
  check,
  plan,
  query,
  importRows,
  exportRows,
  introspect,
  diff,
  types,
  keys,
  allow,
];
const host = { cores: availableParallelism() };
const terminal: Terminal = {
  print: (line) => void process.stdout.write(`${line}\n`),
  report: (line) => void process.stderr.write(`${line}\n`),
};

// If the reader of the output stops reading, as `head` does, the program ends silently.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
process.exitCode = await main(process.argv.slice(2));

async function main([name = '--help', ...argv]: readonly string[]): Promise<number> {
  if (['--help', '-h', 'help'].includes(name)) return printAndExit(usageText(commands, host));
  if (['--version', '-v'].includes(name)) return printAndExit(programVersion());
  try {
    const command = commands.find((each) => each.name === name);
    if (!command) throw new UsageError(`There is no command '${name}'.`);
    if (argv.includes('--help')) return printAndExit(usageText([command], host));
    const given = readArguments(argv, command.syntax);
    const environment = process.env;
    const configuration = readConfiguration({ argv: given.options, environment, host });
    // Checked last, because an unknown flag may have taken an argument as its value.
    checkPositionals(given.positionals, command.syntax.positionals);
    return await command.run({ arguments: given, configuration, environment, terminal });
  } catch (error) {
    return reportError(error);
  }
}

function printAndExit(text: string): 0 {
  terminal.print(text);
  return 0;
}

function reportError(error: unknown): 1 | 2 {
  const isUsage = error instanceof UsageError || error instanceof ConfigurationError;
  const message = error instanceof Error ? error.message : String(error);
  const end = /[.?]$/.test(message) ? '' : '.';
  terminal.report(`rowgate: ${message}${isUsage ? `${end} See rowgate --help.` : ''}`);
  return isUsage ? 2 : 1;
}
