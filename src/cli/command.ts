/** A command of `rowgate`, and what it receives. */
import type { Environment } from '../engine/index.js';
import type { Configuration } from '../gateway/config.js';
import type { CommandArguments, CommandSyntax } from './arguments.js';

export interface Terminal {
  /** Prints a line on standard output. */
  readonly print: (line: string) => void;
  /** Prints a line on standard error: progress and errors. */
  readonly report: (line: string) => void;
}

export interface CommandCall {
  readonly arguments: CommandArguments;
  readonly configuration: Configuration;
  readonly environment: Environment;
  readonly terminal: Terminal;
}

export interface Command {
  readonly name: string;
  /** One line for the usage text. */
  readonly summary: string;
  readonly syntax: CommandSyntax;
  /** Returns the exit code. An error that it throws is printed, and the exit code is 1. */
  readonly run: (call: CommandCall) => Promise<number>;
}
