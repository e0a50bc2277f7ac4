/** Describes the machine: figures mean nothing without it. */
import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg } from 'node:os';
import type { LoadTool } from './options.js';

export interface Machine {
  readonly commit: string;
  /** The commit that is measured as `before`. */
  readonly before?: string;
  readonly node: string;
  readonly processor: string;
  readonly cores: number;
  /**
   * The number of processes that wanted a core in the minute before the run; above 0, expect noise.
   */
  readonly loadBefore: number;
  /** Names, versions and sockets. */
  readonly databases: string;
  readonly loadTool: LoadTool;
  readonly workers: number;
  /** The versions of the servers in `bench/peers`, if they are measured. */
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
