/** Writes a domain as a schema file, and rows as a document to import. */
import { jsonOfData } from '../evaluate/data.js';
import { decimalText } from '../evaluate/decimal.js';
import { clockText, momentText } from '../evaluate/moment.js';
import type { Row, Tables } from '../evaluate/tables.js';
import {
  isArrayValue,
  isClock,
  isCoded,
  isDecimal,
  isDouble,
  isEnumValue,
  isJsonValue,
  isMoment,
  type Value,
} from '../evaluate/value.js';
import {
  type Domain,
  type Entity,
  enumValues,
  type Property,
  readBy,
  type Relation,
} from './domain.js';
import type { Listener } from './make-listeners.js';
import { type View, wholeView } from './view.js';

/** How to connect to the source of a schema file. */
export interface SourcePlan {
  readonly dialect: 'PostgreSQL' | 'MariaDB' | 'MySQL';
  readonly connection: unknown;
}

/** A second source, and the names of the entities that it has. */
export interface SecondSource {
  readonly source: SourcePlan;
  readonly moved: readonly string[];
}

export interface SchemaOptions {
  /** Added to the default one. */
  readonly view?: View | undefined;
  readonly second?: SecondSource | undefined;
  readonly listeners?: readonly Listener[] | undefined;
}

/** The schema file, as plain data. */
export function schemaFile(
  { entities }: Domain,
  source: SourcePlan,
  { view, second, listeners = [] }: SchemaOptions = {},
): unknown {
  const mapped = entities.map(({ name, table, properties }) => ({
    name,
    mapping: table,
    properties: properties.map(({ name: property, column }) => ({
      name: property,
      mapping: column,
    })),
  }));
  return {
    domain: { version: '1.0.0', enums: [moods], entities: entities.map(entityPlan) },
    application: { listeners },
    infrastructure: {
      mappings: [{ name: 'default', entities: mapped }],
      sources: [
        { name: 'default', ...source, mapping: 'default' },
        ...(second ? [{ name: 'second', ...second.source, mapping: 'default' }] : []),
      ],
      stages: [{ name: 'default', sources: [...conditionOf(second), { name: 'default' }] }],
      ...(view && { views: [wholeView, view] }),
    },
  };
}

function conditionOf(second: SecondSource | undefined): readonly unknown[] {
  return second
    ? [{ name: 'second', condition: `entity.in(${JSON.stringify(second.moved)})` }]
    : [];
}

/** Its name may also be that of a table. */
const moods = {
  name: 'Zeta',
  values: enumValues.map((value, index) => ({ name: `mood${index}`, value })),
};

function entityPlan({
  name,
  primaryKey,
  uniqueKey,
  properties,
  relations,
  index,
  constraints = [],
}: Entity): unknown {
  return {
    name,
    ...(primaryKey.length > 0 && { primaryKey }),
    ...(uniqueKey.length > 0 && { uniqueKey }),
    ...(index !== undefined && { indexes: [{ name: `by_${index}`, fields: [index] }] }),
    constraints: constraints.map(({ text }) => ({ message: `Not ${text}`, condition: text })),
    properties: properties.map(propertyPlan),
    relations: relations.flatMap(relationPlans),
  };
}

/** Nothing for the inverse of another relation. */
function relationPlans(relation: Relation): readonly unknown[] {
  const { name, from, entity, to, through, declared, isWeak } = relation;
  const link = { from, entity, to, ...(through && { through }), ...(isWeak && { weak: true }) };
  return declared ? [{ name, ...declared, ...link }] : [];
}

function propertyPlan({
  name,
  type,
  required,
  autoIncrement,
  length,
  isLong,
  digits,
  columnType,
  default: standard,
  computed,
  writeValue,
}: Property): unknown {
  return {
    name,
    type: isLong ? 'bigint' : type === 'enum' ? 'string' : type,
    ...(type === 'enum' && { enum: moods.name }),
    ...(required && { required }),
    ...(autoIncrement && { autoIncrement }),
    ...(length !== undefined && { length }),
    ...(type === 'string' && columnType !== undefined && length === undefined && { length: 'max' }),
    ...digits,
    ...(standard !== undefined && { default: standard }),
    ...(computed && { default: computed.text }),
    ...(writeValue && { writeValue: writeValue.text }),
  };
}

/**
 * The rows as an import document, with the digits of their numbers. `more` are the members of each row that
 * the schema does not know.
 */
export function importDocument(
  { entities }: Domain,
  tables: Tables,
  more: readonly string[] = [],
): string {
  const unknown = more.map((name) => `, ${JSON.stringify(name)}: [{"x": "}"}]`).join('');
  const lists = entities.map(({ name }) => {
    const rows = (tables.get(name) ?? []).map((row) => `{${membersOf(row)}${unknown}}`);
    return `{"entity": ${JSON.stringify(name)}, "rows": [${rows.join(', ')}]}`;
  });
  // Otherwise, what is computed from other values would be computed again.
  const isStored = entities.some(({ properties }) =>
    properties.some((each) => readBy(each).length > 0),
  );
  return `{${isStored ? '"values": "stored", ' : ''}"entities": [${lists.join(', ')}]}`;
}

function membersOf(row: Row): string {
  return [...row].map(([name, value]) => `${JSON.stringify(name)}: ${valueJson(value)}`).join(', ');
}

export function valueJson(value: Value): string {
  if (isDecimal(value)) return decimalText(value);
  if (isDouble(value)) return String(value.value);
  if (isMoment(value)) {
    const text = momentText(value);
    return JSON.stringify(value.kind === 'date' ? text.slice(0, 10) : text);
  }
  if (isCoded(value) || isEnumValue(value)) return JSON.stringify(value.text);
  if (isJsonValue(value)) return jsonOfData(value.data);
  if (isArrayValue(value)) return `[${value.items.map(valueJson).join(', ')}]`;
  return JSON.stringify(isClock(value) ? clockText(value) : value);
}
