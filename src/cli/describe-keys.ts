/** Describes the permissions of keys as a table, and compares the names in them with the schema. */
import { didYouMean, EngineError, loadSchema, type Schema } from '../engine/index.js';
import { ANY_ENTITY } from '../gateway/access/grants.js';
import { type KeyEntry, timeOf } from '../gateway/access/keys-file.js';
import type { CommandCall } from './command.js';

const HEAD = 'key expires stages view queries endpoints rate limits settings'.split(' ');

/** The lines of the table, without the keys and their hashes. */
export function keyTable(keys: readonly KeyEntry[]): readonly string[] {
  const rows = [HEAD, ...keys.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => {
    return row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  });
}

function cellsOf(key: KeyEntry): readonly string[] {
  const { name, expires, stages, view = 'any', allow = [], rate, limits, settings } = key;
  const isOver = expires !== undefined && timeOf(expires) <= Date.now();
  return [
    name,
    expires === undefined ? 'never' : `${expires}${isOver ? ' (expired)' : ''}`,
    stages?.join(',') ?? 'all',
    view,
    queriesOf(key),
    ['queries', ...allow].join(','),
    rate === undefined ? 'any' : `${rate}/s`,
    pairsOf(limits),
    pairsOf(settings),
  ];
}

function pairsOf(members: object = {}): string {
  const pairs = Object.entries(members).map((pair) => pair.join('='));
  return pairs.join(',') || 'none';
}

function queriesOf({ readOnly, entities }: KeyEntry): string {
  const all = Object.entries(
    entities ?? { [ANY_ENTITY]: ['select', 'insert', 'update', 'delete'] },
  );
  const parts = all.map(([entity, verbs]) => {
    const left = readOnly ? verbs.filter((verb) => verb === 'select') : verbs;
    return `${entity}:${left.join('+') || 'nothing'}`;
  });
  return parts.join(',') || 'nothing';
}

/** A message for each name in a key that the schema does not have. */
export function unknownNames(keys: readonly KeyEntry[], schema: Schema): readonly string[] {
  const known = {
    stage: schema.stages.map(({ name }) => name),
    view: schema.views.map(({ name }) => name),
    entity: [ANY_ENTITY, ...schema.domain.entities.map(({ name }) => name)],
  };
  return keys.flatMap(({ name, stages = [], view, entities = {} }) => {
    const used = {
      stage: stages,
      view: view === undefined ? [] : [view],
      entity: Object.keys(entities),
    };
    return (['stage', 'view', 'entity'] as const).flatMap((kind) => {
      const unknown = used[kind].filter((each) => !known[kind].includes(each));
      return unknown.map((each) => {
        const hint = didYouMean(each, known[kind]) ?? '';
        return `The key '${name}' names the ${kind} '${each}', which does not exist. ${hint}`.trimEnd();
      });
    });
  });
}

/** Rejects if the key names a stage, view or entity that the schema does not have. Warns if the schema is not known. */
export async function checkKeyNames(call: CommandCall, key: KeyEntry): Promise<void> {
  if ((key.stages ?? key.view ?? key.entities) === undefined) return;
  const schema = await schemaOf(call);
  if (typeof schema === 'string') {
    call.terminal.report(`The names in the key were not compared with the schema: ${schema}`);
    return;
  }
  const unknown = unknownNames([key], schema);
  if (unknown.length > 0) throw new Error(unknown.join('\n'));
}

/** The schema, or why it is not known. */
async function schemaOf({ configuration, environment }: CommandCall): Promise<Schema | string> {
  const { schema: path } = configuration;
  if (path === undefined) return 'give its file with --schema, or use rowgate check.';
  // Loaded only here, because it loads `yaml`.
  const { readSchemaFile } = await import('../project/schema-file.js');
  try {
    return loadSchema(await readSchemaFile(path, environment));
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return error.message;
  }
}
