/** The sample's entities with their rows in memory, typed by the schema, and found by any property. */
import { loadSchema } from '../../../src/engine/index.js';
import { northwindDocument } from '../../engine/schema/northwind.js';
import { sampleRows } from '../../support/sample.js';
import { groupBy } from './group-by.js';
import { parseDecimal } from './decimal.js';
import { instantOf, identityOf, type Value } from './value.js';

export type Row = ReadonlyMap<string, Value>;

export interface RelationInfo {
  readonly name: string;
  readonly from: string;
  readonly entity: string;
  readonly to: string;
  readonly isMany: boolean;
}

export interface EntityInfo {
  readonly name: string;
  readonly properties: ReadonlyMap<string, string>;
  readonly relations: ReadonlyMap<string, RelationInfo>;
  readonly primaryKey: readonly string[];
  readonly rows: readonly Row[];
}

const entities = new Map<string, EntityInfo>();
for (const entity of loadSchema(northwindDocument()).domain.entities) {
  const properties = new Map(entity.properties.map(({ name, type }) => [name, type as string]));
  const relations = entity.relations.map(({ name, from, entity: target, to, type }) => {
    return [name, { name, from, entity: target, to, isMany: type === 'manyToOne' }] as const;
  });
  const rows = sampleRows(entity.name).map(
    (row) =>
      new Map(
        [...properties].map(([name, type]) => [name, typed(type, row[name] ?? null)] as const),
      ),
  );
  const { name, primaryKey } = entity;
  entities.set(name, { name, properties, relations: new Map(relations), primaryKey, rows });
}

export function entityNamed(name: string): EntityInfo {
  const entity = entities.get(name);
  if (!entity) throw new Error(`no entity ${name}`);
  return entity;
}

const indexes = new Map<string, ReadonlyMap<string, readonly Row[]>>();
const known = new Map<RelationInfo, WeakMap<Row, readonly Row[]>>();

/** The rows that a relation leads to; each is looked up once. */
export function related(row: Row, relation: RelationInfo): readonly Row[] {
  const ofRelation = known.get(relation) ?? new WeakMap<Row, readonly Row[]>();
  known.set(relation, ofRelation);
  const found = ofRelation.get(row) ?? lookUp(row, relation);
  ofRelation.set(row, found);
  return found;
}

function lookUp(row: Row, { from, entity, to }: RelationInfo): readonly Row[] {
  const key = row.get(from) ?? null;
  return key === null ? [] : (indexOf(entity, to).get(identityOf(key)) ?? []);
}

function indexOf(entity: string, property: string): ReadonlyMap<string, readonly Row[]> {
  const name = `${entity}.${property}`;
  const known = indexes.get(name);
  if (known) return known;
  const index = groupBy(entityNamed(entity).rows, (row) => identityOf(row.get(property) ?? null));
  indexes.set(name, index);
  return index;
}

function typed(type: string, value: string | number | boolean | null): Value {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return parseDecimal(String(value));
  return type === 'dateTime' || type === 'date' ? instantOf(value) : value;
}
