/** Rows as trees: rows whose generated keys differ have the same tree if they and the rows that refer to them are alike. */
import { groupBy } from '../evaluate/group-by.js';
import type { Domain, Entity, Relation } from '../world/domain.js';
import { type Answered, canonicalText } from './answered.js';

/** A row as the program has answered it. */
export interface AnsweredRow {
  readonly entity: Entity;
  readonly values: { readonly [name: string]: Answered };
}

/** A row refers to another by a relation. `inverse` leads back. */
export interface Reference {
  readonly child: AnsweredRow;
  readonly parent: AnsweredRow;
  readonly relation: Relation;
  readonly inverse: Relation;
}

export function generatedKeyOf({ properties }: Entity): string | undefined {
  return properties.find(({ autoIncrement }) => autoIncrement)?.name;
}

export function valueText({ values }: AnsweredRow, name: string): string {
  return canonicalText(values[name] ?? null);
}

/** All references between the rows. */
export function referencesAmong(domain: Domain, rows: readonly AnsweredRow[]): Reference[] {
  const byEntity = groupBy(rows, ({ entity }) => entity.name);
  return domain.entities.flatMap((entity) =>
    entity.relations.flatMap((inverse) => {
      const { from, to, through, declared } = inverse;
      if (through || declared) return [];
      const parents = groupBy(byEntity.get(entity.name) ?? [], (row) => keyOf(row, from));
      return (byEntity.get(inverse.entity) ?? []).flatMap((child) => {
        const relation = child.entity.relations.find((each) => isInverse(each, entity, to));
        const isWhole = to.every((name) => (child.values[name] ?? null) !== null);
        if (!relation || !isWhole) return [];
        const found = parents.get(keyOf(child, to)) ?? [];
        return found.map((parent) => ({ child, parent, relation, inverse }));
      });
    }),
  );
}

function isInverse({ declared, entity, from }: Relation, other: Entity, to: readonly string[]) {
  return declared !== undefined && entity === other.name && from.join() === to.join();
}

function keyOf(row: AnsweredRow, names: readonly string[]): string {
  return names.map((name) => valueText(row, name)).join('\n');
}

/** The properties of rows whose values are generated keys, their own or inherited ones. */
export type Generated = ReadonlyMap<AnsweredRow, ReadonlySet<string>>;

/** Those of rows whose key is generated, and of all rows that refer to them. */
export function generatedBy(
  rows: readonly AnsweredRow[],
  referring: ReadonlyMap<AnsweredRow, readonly Reference[]>,
): Generated {
  const generated = new Map<AnsweredRow, Set<string>>();
  const add = (row: AnsweredRow, name: string): void => {
    const names = generated.get(row) ?? new Set();
    generated.set(row, names);
    if (names.has(name)) return;
    names.add(name);
    for (const { child, relation } of referring.get(row) ?? []) {
      const at = relation.to.indexOf(name);
      if (at !== -1) add(child, relation.from[at] ?? '');
    }
  };
  for (const row of rows) add(row, generatedKeyOf(row.entity) ?? '');
  return generated;
}

/** The text of each row, with those that inherit generated keys from it, and without these keys; sorted. */
export function treesOf(
  domain: Domain,
  rows: readonly AnsweredRow[],
  isGenerated: (row: AnsweredRow) => boolean,
): readonly string[] {
  const referring = groupBy(referencesAmong(domain, rows), ({ parent }) => parent);
  const generated = generatedBy(rows.filter(isGenerated), referring);
  const textOf = (row: AnsweredRow, above: readonly AnsweredRow[]): string => {
    if (above.includes(row)) return '…';
    const names = generated.get(row);
    const values = Object.keys(row.values).map(
      (name) => `${name}: ${names?.has(name) ? '<generated>' : valueText(row, name)}`,
    );
    const inheriting = (referring.get(row) ?? []).filter(({ relation }) =>
      relation.to.some((name) => names?.has(name)),
    );
    const below = inheriting.map(
      ({ child, inverse }) => `${inverse.name}: ${textOf(child, [...above, row])}`,
    );
    return `${row.entity.name} {${[...values, ...below.sort()].join(', ')}}`;
  };
  return rows.map((row) => textOf(row, [])).sort();
}
