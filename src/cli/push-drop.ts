/** `rowgate push` and `rowgate drop`: the tables of a schema, made and removed. */
import { connectTables } from '../workers/database/drivers.js';
import { type DdlTask, drop as dropTables, push as pushTables } from '../workers/tasks/ddl.js';
import type { CommandSyntax } from './arguments.js';
import type { Command, CommandCall } from './command.js';
import { openProject } from '../project/project.js';

const syntax: CommandSyntax = { values: [], switches: ['dry-run'], positionals: [] };

export const push: Command = {
  name: 'push',
  summary: 'creates the tables, columns, keys and indexes that are missing (--dry-run: says which)',
  syntax,
  run: (call) => runDdl(call, pushTables),
};

export const drop: Command = {
  name: 'drop',
  summary: 'removes the tables of the schema with all their rows (--dry-run: says which)',
  syntax,
  run: (call) => runDdl(call, dropTables),
};

async function runDdl(call: CommandCall, task: (task: DdlTask) => Promise<number>) {
  const dryRun = call.arguments.switches.has('dry-run');
  const project = await openProject(call);
  try {
    const { print } = call.terminal;
    await task({ schema: project.schema, connect: connectTables, dryRun, say: print });
    return 0;
  } finally {
    await project.close();
  }
}
