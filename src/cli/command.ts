/** What a command of `rowgate` is, and what it is given. */
import type { Configuration } from '../gateway/config.js';
import type { CommandArguments, CommandSyntax } from './arguments.js';

export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Prints a line on standard output. */
  readonly print: (line: string) => void;
  /** Prints a line on standard error: progress, faults. */
  readonly report: (line: string) => void;
}

export interface CommandCall {
  readonly arguments: CommandArguments;
  readonly configuration: Configuration;
  readonly terminal: Terminal;
}

export interface Command {
  readonly name: string;
  /** One line for the usage text. */
  readonly summary: string;
  readonly syntax: CommandSyntax;
  /** Answers the exit code. What it throws is told, and the exit code is 1. */
  readonly run: (call: CommandCall) => Promise<number>;
}
