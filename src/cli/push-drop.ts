/** `rowgate push` and `rowgate drop`: create and remove the tables of a schema. */
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { type DdlTask, drop as dropTables, push as pushTables } from '../workers/tasks/ddl.js';
import { UsageError } from './arguments.js';
import type { Command, CommandCall } from './command.js';
import { describeConnection, describeEmbedded } from './describe-connection.js';
import { type Project, withProject } from '../project/project.js';

const dryRun = { 'dry-run': 'prints the SQL and changes nothing' };

export const push: Command = {
  positionals: [],
  flags: dryRun,
  options: ['Schema and databases'],
  examples: ['push --schema shop.yaml --dry-run', 'push --schema shop.yaml'],
  run: (call) => withProject(call, (project) => runDdl(call, project, pushTables)),
};

export const drop: Command = {
  positionals: [],
  flags: { ...dryRun, yes: 'does not ask' },
  options: ['Schema and databases'],
  examples: ['drop --schema shop.yaml --dry-run', 'drop --schema shop.yaml --yes'],
  run: (call) =>
    withProject(call, async (project) => {
      const isAsked = !call.arguments.switches.has('dry-run');
      if (isAsked && !(await confirm(call, lossOf(project)))) return 1;
      return runDdl(call, project, dropTables);
    }),
};

function lossOf({ schema: { sources }, isEmbedded, embeddedFolder = '' }: Project): string {
  const places = sources.map((source) => {
    const shown = isEmbedded(source) ? { ...source, connection: {} } : source;
    return describeConnection(shown, embeddedFolder);
  });
  return `This removes the tables of the schema with all their rows from ${places.join(', ')}.`;
}

async function runDdl(
  { arguments: { switches }, terminal }: CommandCall,
  { schema, isEmbedded, embeddedFolder = '' }: Project,
  task: (task: DdlTask) => Promise<number>,
): Promise<number> {
  const { print, report, paint, isTerminal } = terminal;
  // A variable that is empty by mistake would otherwise lead there unnoticed.
  for (const { name } of schema.sources.filter(isEmbedded)) {
    report(`source ${name}: ${describeEmbedded(embeddedFolder)}`);
  }
  const say: DdlTask['say'] = (line, progress) => {
    const isShown = progress !== undefined && isTerminal;
    print(isShown ? `${paint('dim', `[${progress.done}/${progress.total}]`)} ${line}` : line);
  };
  await task({ schema, dryRun: switches.has('dry-run'), say });
  return 0;
}

/** With `--yes`, or by answering `yes` on a terminal. Without one, throws a UsageError. */
async function confirm({ arguments: { switches } }: CommandCall, what: string): Promise<boolean> {
  if (switches.has('yes')) return true;
  if (!process.stdin.isTTY) throw new UsageError(`${what} To do it, pass --yes.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const question = terminal.question(`${what} Type yes to do it: `);
    // Ctrl-D closes the terminal, and leaves the question unsettled if standard error is none.
    const answer: unknown = await Promise.race([question, once(terminal, 'close')]);
    return typeof answer === 'string' && answer.trim() === 'yes';
  } finally {
    terminal.close();
  }
}
