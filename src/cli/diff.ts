/** `rowgate diff`: lists the differences between the schema and the tables of its sources. */
import { compareSources, type SourceDrift } from '../workers/tasks/find-drift.js';
import type { Command, CommandCall } from './command.js';
import { withProject } from '../project/project.js';

export const diff: Command = {
  positionals: [],
  flags: { strict: 'also exits with 1 if tables or columns are not mapped' },
  options: ['Schema and databases'],
  examples: ['diff --schema shop.yaml'],
  run: runDiff,
};

async function runDiff(call: CommandCall): Promise<number> {
  const { print, paint } = call.terminal;
  const { drift, unmapped } = await withProject(call, ({ schema }) => compareSources(schema));
  drift.map(driftLine).forEach(print);
  for (const each of unmapped) print(`${paint('cyan', 'note:')} ${driftLine(each)}`);
  if (drift.length + unmapped.length === 0) print(paint('green', 'No differences.'));
  const isStrict = call.arguments.switches.has('strict');
  return drift.length > 0 || (isStrict && unmapped.length > 0) ? 1 : 0;
}

export function driftLine({ source, place, why }: SourceDrift): string {
  return `${source}: ${place}: ${why}`;
}
