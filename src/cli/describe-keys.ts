/** Describes the permissions of the keys in a file as a table. */
import { didYouMean, type Schema } from '../engine/index.js';
import { ANY_ENTITY } from '../gateway/access/grants.js';
import { type KeyEntry, timeOf } from '../gateway/access/keys-file.js';

const HEAD = [
  'key',
  'expires',
  'stages',
  'view',
  'queries',
  'endpoints',
  'rate',
  'limits',
  'settings',
] as const;

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
