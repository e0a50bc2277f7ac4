/** Asks before a command destroys something. */
import { createInterface } from 'node:readline/promises';
import { UsageError } from './arguments.js';
import type { CommandCall } from './command.js';

/**
 * Resolves to whether the user agrees: with `--yes`, or by answering `yes` on a terminal. Without a
 * terminal, throws a UsageError.
 */
export async function confirm(
  { arguments: { switches } }: CommandCall,
  what: string,
): Promise<boolean> {
  if (switches.has('yes')) return true;
  if (!process.stdin.isTTY) throw new UsageError(`${what} To do it, pass --yes.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(`${what} Type yes to do it: `)).trim() === 'yes';
  } finally {
    terminal.close();
  }
}
