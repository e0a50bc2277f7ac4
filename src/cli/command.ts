/** A command of `rowgate`, and its input. */
import type { Environment } from '../engine/index.js';
import type { Configuration } from '../gateway/config.js';
import type { CommandArguments, Flags } from './arguments.js';
import type { Paint } from './colors.js';
import type { OptionGroup } from './option-groups.js';

export interface Terminal {
  /** Prints a line on standard output. */
  readonly print: (line: string) => void;
  /** Prints a line on standard error: progress and errors. */
  readonly report: (line: string) => void;
  /** Colours for standard output. */
  readonly paint: Paint;
  /** Whether standard output is a terminal, not a file or a pipe. */
  readonly isTerminal: boolean;
}

export interface CommandCall {
  readonly arguments: CommandArguments;
  readonly configuration: Configuration;
  /** Members of `infrastructure.service` in the schema file without effect. */
  readonly ignoredMembers: readonly string[];
  readonly environment: Environment;
  readonly terminal: Terminal;
}

/** A command whose requests a gateway answers. */
export interface GatewayCall extends CommandCall {
  /**
   * Takes what a database said about the request that failed last; undefined if it said nothing, or if another process
   * is the gateway, whose log has it.
   */
  readonly takeCause: () => string | undefined;
}

/** A line in the list of commands. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

export interface Command {
  readonly flags: Flags;
  /** Names of the arguments without a flag; a name in brackets is optional. */
  readonly positionals: readonly string[];
  /** The options of the configuration that matter to the command. */
  readonly options: readonly OptionGroup[];
  /** Example arguments, without `rowgate` itself. */
  readonly examples: readonly string[];
  /** Returns the exit code. An error that it throws is printed, and the exit code is 1. */
  readonly run: (call: CommandCall) => Promise<number>;
}

/** Flags of the commands that compile a query. */
export const queryFlags = {
  stage: ['NAME', 'the stage: by default the one named default, or the first'],
  view: ['NAME', 'the view: by default the one named default, or the first'],
} as const;

/** Flags of the commands that send requests to a gateway. */
export const gatewayFlags = {
  url: [
    'URL',
    'sends the request to the gateway at this address; by default, opens the databases of the schema',
  ],
  ...queryFlags,
} as const;
