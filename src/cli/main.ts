#!/usr/bin/env node
/**
 * The command line: the only place that reads the process's arguments and environment and sets its exit
 * code. The exit code is 0 for success, 1 for an error, which is printed, and 2 for wrong usage.
 */
import { didYouMean } from '../engine/index.js';
import { messageOf } from '../gateway/error-message.js';
import { ConfigurationError } from '../gateway/option.js';
import { checkOptions, checkPositionals, readArguments, UsageError } from './arguments.js';
import { painter } from './colors.js';
import type { CommandEntry, Terminal } from './command.js';
import { commands } from './commands.js';
import { configure } from './configure.js';
import { programVersion } from '../project/gateway-options.js';
import { readHost } from '../project/read-host.js';
import { commandText, usageText } from './usage.js';

const host = readHost();
const terminal: Terminal = {
  print: (line) => void process.stdout.write(`${line}\n`),
  report: (line) => void process.stderr.write(`${line}\n`),
  paint: painter(process.stdout.isTTY, process.env),
  isTerminal: process.stdout.isTTY,
};
const usage = { host, paint: terminal.paint };
const paintError = painter(process.stderr.isTTY, process.env);

// Writing fails, for example, when `head` stops reading or the disk is full.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  const isClosed = error.code === 'EPIPE';
  const what = isClosed
    ? 'was closed before it was complete'
    : `cannot be written: ${error.message}`;
  process.exit(reportError(new Error(`The output ${what}.`)));
});
process.stderr.on('error', () => process.exit(1));
process.exitCode = await main(process.argv.slice(2));

async function main([name = '--help', ...argv]: readonly string[]): Promise<number> {
  if (['--help', '-h', 'help'].includes(name)) return printAndExit(usageText(commands, usage));
  if (['--version', '-v'].includes(name)) return printAndExit(programVersion());
  const entry = commands.find((each) => each.name === name);
  try {
    if (!entry) throw unknownCommand(name);
    const command = await entry.load();
    if (argv.includes('--help')) return printAndExit(commandText(entry, command, usage));
    const given = readArguments(argv, command);
    const environment = process.env;
    checkOptions(given.options, command);
    const configured = await configure({ argv: given.options, environment, host }, command);
    // Checked last: if an unknown flag took an argument as its value, the flag is the error to report.
    checkPositionals(given.positionals, command);
    return await command.run({ arguments: given, ...configured, environment, terminal });
  } catch (error) {
    return reportError(error, entry);
  }
}

function unknownCommand(name: string): UsageError {
  const hint = didYouMean(
    name,
    commands.map((each) => each.name),
  );
  return new UsageError([`There is no command '${name}'.`, hint].filter(Boolean).join(' '));
}

function printAndExit(text: string): 0 {
  terminal.print(text);
  return 0;
}

function reportError(error: unknown, command?: CommandEntry): 1 | 2 {
  const isUsage = error instanceof UsageError || error instanceof ConfigurationError;
  const message = messageOf(error);
  const end = /[.?]$/.test(message) ? '' : '.';
  const help = command ? `rowgate ${command.name} --help` : 'rowgate --help';
  const more = isUsage ? `${end} See ${help}.` : '';
  terminal.report(`${paintError('red', 'rowgate:')} ${message}${more}`);
  return isUsage ? 2 : 1;
}
