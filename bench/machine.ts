/** On what the figures were taken: without this they mean nothing. */
import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg } from 'node:os';
import type { LoadTool } from './options.js';

export interface Machine {
  readonly commit: string;
  /** The commit that takes part as `before`. */
  readonly before?: string;
  readonly node: string;
  readonly processor: string;
  readonly cores: number;
  /** Processes that wanted a core in the minute before: more than 0 is noise. */
  readonly loadBefore: number;
  /** Names, versions and sockets. */
  readonly databases: string;
  readonly loadTool: LoadTool;
  readonly workers: number;
  /** The versions of the servers of `bench/peers`, where they take part. */
  readonly peers?: string;
}

export function describeMachine(loadTool: LoadTool, workers: number): Omit<Machine, 'databases'> {
  return {
    commit: readCommit(),
    node: process.version,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    loadBefore: loadavg()[0] ?? 0,
    loadTool,
    workers,
  };
}

function readCommit(): string {
  try {
    const cwd = import.meta.dirname;
    const git = (...words: readonly string[]) =>
      execFileSync('git', words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const isChanged = git('status', '--porcelain').trim() !== '';
    return `${git('rev-parse', '--short', 'HEAD').trim()}${isChanged ? ' with changes' : ''}`;
  } catch {
    return 'unknown';
  }
}
