/** Laws that every answer must obey, whatever its values. */
import { type Data, jsonOfData } from '../evaluate/data.js';
import { makeData } from '../generate/data.js';
import { expression, quoted } from '../generate/expression.js';
import { include } from '../generate/include.js';
import { mapOf } from '../generate/clauses.js';
import { createSketch, scopeOf } from '../generate/sketch.js';
import {
  type Answered,
  canonicalText,
  isObject,
  parseAnswer,
  unorderedText,
} from '../judge/answered.js';
import { bodyOf } from '../judge/judge.js';
import { leavesRowsOpen } from '../judge/open-rows.js';
import { isWhole } from '../evaluate/tables.js';
import type { Value } from '../evaluate/value.js';
import { valueJson } from '../world/schema-file.js';
import type { Step } from './round.js';

/** The rows of a query; undefined if it is refused. */
async function rowsOf(
  { world }: Step,
  text: string,
  data: Data,
): Promise<readonly Answered[] | undefined> {
  const reply = await world.client.post('/execute', bodyOf({ text, data }));
  if (reply.status !== 200) return undefined;
  const rows = parseAnswer(reply.text);
  return Array.isArray(rows) ? rows : undefined;
}

/** Each row satisfies exactly one of: the condition, its negation, and the condition being null. */
export async function checkPartition(step: Step): Promise<void> {
  const { random, world, report, server, seed } = step;
  const entity = random.pick(world.domain.entities);
  const sketch = createSketch(random, world.domain, expression);
  const scope = scopeOf(sketch, entity, 'p');
  const condition = expression(scope, 'b', 3, '^');
  const map = mapOf(scope, 1).text;
  if (leavesRowsOpen(world.domain, condition + map)) return;
  const data = makeData(random, sketch.parameters);
  const filters = [
    '',
    `.filter(p=>${condition})`,
    `.filter(p=>!${condition})`,
    `.filter(p=>isNull(${condition}))`,
  ];
  const [all, ...parts] = await Promise.all(
    filters.map((filter) => rowsOf(step, entity.name + filter + map, data)),
  );
  if (!all || parts.includes(undefined)) return;
  report.count('partitions');
  const [expected, found] = [all, parts.flatMap((part) => part ?? [])].map((rows) =>
    rows.map(canonicalText).sort(),
  );
  if (JSON.stringify(expected) === JSON.stringify(found)) return;
  report.fail({
    kind: 'partition',
    text: [
      'The rows for which a condition is true, false and null are not all rows.',
      ...filters.map((filter) => `${entity.name}${filter}${map}`),
      `${jsonOfData(data)}: ${all.length} rows, ${parts.map((part) => part?.length).join(' + ')}`,
      `on ${server.dialect}, seed ${seed}`,
    ].join('\n'),
  });
}

/** The included rows are those that a separate query returns for each parent. */
export async function checkIncluded(step: Step): Promise<void> {
  const { random, world, report, server, seed } = step;
  const { domain, tables } = world;
  const related = domain.entities.flatMap((entity) =>
    entity.relations.filter(({ through }) => !through).map((relation) => ({ entity, relation })),
  );
  if (related.length === 0) return;
  const { entity, relation } = random.pick(related);
  const sketch = createSketch(random, domain, expression);
  const text = include(scopeOf(sketch, entity, 'p'), relation, 2, 2);
  const clauses = text.slice(`p.${relation.name}`.length);
  const data = makeData(random, sketch.parameters);
  const rows = (tables.get(entity.name) ?? []).filter((row) => isWhole(row, relation.from));
  if (leavesRowsOpen(world.domain, clauses)) return;
  for (const row of random.some(rows, 3)) {
    const key = relation.from.map((name) => literalOf(row.get(name) ?? null));
    const within = `${entity.name}.filter(p=>${equalities('p', relation.from, key)}).include(p=>${text})`;
    const own = `${relation.entity}.filter(k=>${equalities('k', relation.to, key)})${clauses}`;
    const [parents, alone] = await Promise.all([
      rowsOf(step, within, data),
      rowsOf(step, own, data),
    ]);
    const [parent] = parents ?? [];
    if (!alone || parent === undefined || !isObject(parent)) continue;
    report.count('includes compared with separate queries');
    const found = parent[relation.name] ?? null;
    const expected = relation.isMany ? alone : (alone[0] ?? null);
    if (unorderedText(expected) === unorderedText(found)) continue;
    report.fail({
      kind: 'include',
      text: [
        'The included rows differ from those of a separate query.',
        within,
        own,
        canonicalText(found).slice(0, 500),
        canonicalText(expected).slice(0, 500),
        `on ${server.dialect}, seed ${seed}`,
      ].join('\n'),
    });
  }
}

function equalities(variable: string, names: readonly string[], key: readonly string[]): string {
  return names.map((name, index) => `${variable}.${name}==${key[index] ?? ''}`).join(' && ');
}

function literalOf(key: Value): string {
  if (typeof key === 'string') return quoted(key);
  const text = valueJson(key);
  return text.startsWith('-') ? `(${text})` : text;
}
