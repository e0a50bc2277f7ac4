/** `rowgate allow`: writes the file of allowed queries. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { compileQuery, createCatalog, EngineError, type Schema } from '../engine/index.js';
import { writeAllowedQueries } from '../gateway/access/allowed-queries.js';
import { chooseView } from '../gateway/choose-view.js';
import { openProject } from '../project/project.js';
import { UsageError } from './arguments.js';
import { type Command, type CommandCall, queryFlags } from './command.js';

export const allow: Command = {
  positionals: ['FROM'],
  flags: queryFlags,
  options: ['Schema and databases', 'Access'],
  examples: ['allow queries/ --queries-file allowed.json --schema shop.yaml'],
  run: async (call) => {
    const { queriesFile } = call.configuration;
    const [from = ''] = call.arguments.positionals;
    if (queriesFile === undefined) throw new UsageError('allow needs --queries-file.');
    const queries = queriesIn(from);
    const project = await openProject(call, { withoutDatabase: true });
    const faults = faultsOf(call, project.schema, queries);
    await project.close();
    for (const fault of faults) call.terminal.report(fault);
    if (faults.length > 0) return 1;
    writeAllowedQueries(queriesFile, [...queries.values()]);
    call.terminal.report(
      `${queries.size} queries are allowed: restart the server, or send SIGHUP.`,
    );
    return 0;
  },
};

/** Reads the expressions, each with its place. */
function queriesIn(from: string): ReadonlyMap<string, string> {
  if (statSync(from).isDirectory()) {
    const files = readdirSync(from)
      .sort()
      .map((name) => join(from, name));
    return new Map(files.map((file) => [file, readFileSync(file, 'utf8').trim()]));
  }
  const lines = readFileSync(from, 'utf8')
    .split('\n')
    .map((line) => line.trim());
  const numbered = lines.map((line, index): [string, string] => [`${from}:${index + 1}`, line]);
  return new Map(numbered.filter(([, line]) => line !== '' && !line.startsWith('#')));
}

function faultsOf(
  { arguments: { values } }: CommandCall,
  schema: Schema,
  queries: ReadonlyMap<string, string>,
): readonly string[] {
  const catalog = createCatalog(schema);
  const stage = values.get('stage') ?? catalog.defaultStage;
  const view = chooseView({ catalog }, stage, values.get('view'));
  return [...queries].flatMap(([place, expression]) => {
    try {
      compileQuery(catalog, { expression, stage, view });
      return [];
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return [`${place}: ${error.message}`];
    }
  });
}
