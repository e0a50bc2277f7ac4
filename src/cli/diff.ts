/** `rowgate diff`: where the schema and the tables of its sources differ. */
import type { Schema } from '../engine/index.js';
import { connectTables } from '../workers/database/drivers.js';
import { driftOfSources, type SourceDrift } from '../workers/tasks/find-drift.js';
import type { Command, CommandCall } from './command.js';
import { openProject } from '../project/project.js';

export const diff: Command = {
  name: 'diff',
  summary:
    'compares the schema file with the tables of its databases; ends with 1 where they differ',
  syntax: { values: [], switches: [], positionals: [] },
  run: runDiff,
};

async function runDiff(call: CommandCall): Promise<number> {
  const project = await openProject(call);
  try {
    const drift = await findDriftOf(project.schema);
    drift.map(driftLine).forEach(call.terminal.print);
    return drift.length === 0 ? 0 : 1;
  } finally {
    await project.close();
  }
}

/** All differences of all sources. */
export function findDriftOf(schema: Schema): Promise<readonly SourceDrift[]> {
  return driftOfSources(schema, connectTables);
}

/** A difference on one line. */
export function driftLine({ source, place, why }: SourceDrift): string {
  return `${source}: ${place}: ${why}`;
}
