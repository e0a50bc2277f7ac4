/** Cases for `push`: mappings and existing tables, each with a comment on what it shows. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { ExistingColumn, ExistingTable } from '../../../src/engine/ddl/existing.js';
import { substitute } from '../../../src/engine/schema/environment.js';
import { loadSchema } from '../../../src/engine/load/load.js';
import type { Enum, Mapping, Schema } from '../../../src/engine/schema/model.js';

export interface DdlCase {
  /** The name of the golden file. */
  readonly name: string;
  readonly comment: string;
  readonly mapping: Mapping;
  readonly enums?: readonly Enum[];
  /** The existing tables, with names folded as PostgreSQL folds them. */
  readonly existing: readonly ExistingTable[];
}

/** An existing table with columns only; `more` adds what a case needs. */
function table(name: string, columns: readonly string[], more: Partial<ExistingTable> = {}) {
  return {
    schema: 'public',
    name,
    isVisible: true,
    kind: 'table' as const,
    columns: columns.map(column),
    primaryKey: undefined,
    uniqueKeys: [],
    indexes: [],
    foreignKeys: [],
    ...more,
  };
}

function column(name: string): ExistingColumn {
  return { name, type: 'text', declared: 'text', isNullable: true, origin: 'given' };
}

/** The sample's schema. */
export function northwindSchema(): Schema {
  const file = new URL('../../../schemas/northwind.yaml', import.meta.url);
  return loadSchema(substitute(parse(readFileSync(file, 'utf8')), {}));
}

/** A schema with one mapping, which gives the names of tables and columns. */
function schemaOf(text: string): Schema {
  const { enums, entities, tables }: Readonly<Record<'enums' | 'entities' | 'tables', unknown>> =
    parse(text);
  return loadSchema({
    domain: { version: '1.0.0', enums, entities },
    infrastructure: {
      mappings: [{ name: 'default', entities: tables }],
      sources: [{ name: 'default', dialect: 'PostgreSQL', mapping: 'default', connection: {} }],
      stages: [{ name: 'default', sources: [{ name: 'default' }] }],
    },
  });
}

/** The schema of the sample with another mapping. */
export function schemaWith(mapping: Mapping): Schema {
  return { ...northwindSchema(), mappings: [mapping] };
}

function mappingOf(schema: Schema): Mapping {
  const [mapping] = schema.mappings;
  if (mapping === undefined) throw new Error('The schema has no mapping.');
  return mapping;
}

const types = `
entities:
  - name: Everything
    primaryKey: [id]
    properties:
      - { name: id, type: integer, autoIncrement: true }
      - { name: whole, type: integer, default: 7 }
      - { name: exact, type: decimal, default: 1.50 }
      - { name: price, type: decimal, precision: 8, scale: 2 }
      - { name: wide, type: decimal, precision: 100, scale: 40 }
      - { name: many, type: "decimal[]", precision: 5 }
      - { name: rough, type: number, default: -2.5 }
      - { name: sum, type: decimal, readOnly: true }
      - { name: double, type: decimal, readOnly: true, readExp: price * 2 }
      - { name: short, length: 15, required: true, default: "it's \\\\ so" }
      - { name: long, length: 20000 }
      - { name: huge, length: 20000000 }
      - { name: flag, type: boolean, default: true }
      - { name: moment, type: dateTime, default: now() }
      - { name: day, type: date, default: today() }
      - { name: hour, type: time, default: "12:30:00" }
      - { name: computed, type: integer, default: 1 + 1 }
      - { name: made, type: uuid, databaseDefault: true }
tables:
  - name: Everything
    mapping: Everything
`;

const names = `
entities:
  - name: Group
    primaryKey: [user]
    uniqueKey: [kept]
    properties:
      - { name: user, type: integer }
      - { name: kept }
      - { name: dotted }
      - { name: hidden }
  - name: Long
    primaryKey: [id]
    properties:
      - { name: id, type: integer }
      - { name: groupId, type: integer }
    relations:
      - { name: group, from: groupId, entity: Group, to: user }
tables:
  - name: Group
    mapping: Group
    properties:
      - { name: user, mapping: User }
      - { name: kept, mapping: '"Kept Case"' }
      - { name: dotted, mapping: a.b }
      - { name: hidden, mapping: _hidden }
  - name: Long
    mapping: a_table_with_a_name_of_nearly_sixty_three_letters_more_or_less
    properties:
      - { name: id, mapping: id }
      - { name: groupId, mapping: '"größe"' }
`;

const pairs = `
entities:
  - name: Users
    primaryKey: [id]
    properties: [{ name: id, type: integer }]
    relations:
      - { name: profile, type: oneToOne, from: id, entity: Profiles, to: userId }
      - { name: badge, type: oneToOne, from: id, entity: Badges, to: id }
  - name: Profiles
    primaryKey: [id]
    uniqueKey: [userId]
    properties: [{ name: id, type: integer }, { name: userId, type: integer, required: true }]
    relations:
      - { name: user, type: oneToOne, from: userId, entity: Users, to: id }
  - name: Badges
    primaryKey: [id]
    properties: [{ name: id, type: integer }, { name: luck, type: integer }, { name: likes, type: integer }]
    relations:
      - { name: user, type: oneToOne, from: id, entity: Users, to: id }
      - { name: byLuck, from: luck, entity: Profiles, to: userId, weak: true }
      - { name: odd, from: likes, entity: Halves, to: left }
      - { name: whole, from: [luck, likes], entity: Halves, to: [right, left] }
      - { name: oddPair, from: [id, likes], entity: Profiles, to: [id, userId] }
  - name: Halves
    primaryKey: [left, right]
    properties: [{ name: left, type: integer }, { name: right, type: integer }]
tables:
  - { name: Users, mapping: Users }
  - { name: Profiles, mapping: Profiles }
  - { name: Badges, mapping: Badges }
  - { name: Halves, mapping: Halves }
`;

const additions = `
entities:
  - name: Parents
    primaryKey: [id]
    uniqueKey: [name]
    properties:
      - { name: id, type: integer, autoIncrement: true }
      - { name: name, required: true }
      - { name: rank, type: integer, required: true }
      - { name: active, type: boolean, required: true, default: true }
  - name: Children
    primaryKey: [id]
    indexes: [{ name: born, fields: [born] }]
    properties:
      - { name: id, type: integer, autoIncrement: true }
      - { name: parentId, type: integer }
      - { name: born, type: date }
    relations:
      - { name: parent, from: parentId, entity: Parents, to: id }
tables:
  - { name: Parents, mapping: Parents }
  - { name: Children, mapping: Children }
`;

const enums = `
enums:
  - { name: Mood, values: [{ name: sad }, { name: "so-so" }, { name: glad, value: "it's" }] }
  - { name: Level, values: [{ name: low, value: 1 }, { name: high, value: 2 }] }
  - { name: Shade, values: [{ name: a }, { name: A }] }
  - { name: Status, values: [{ name: open }, { name: closed }] }
entities:
  - name: Status
    primaryKey: [code]
    properties: [{ name: code, enum: Status }]
  - name: Things
    primaryKey: [id]
    indexes: [{ name: mood, fields: [mood] }]
    properties:
      - { name: id, type: integer }
      - { name: mood, enum: Mood, required: true, default: "it's", length: max }
      - { name: level, type: integer, enum: Level }
      - { name: shade, enum: Shade }
      - { name: state, enum: Status, default: open }
      - { name: status, enum: Status }
      - { name: secret, enum: Mood, writeValue: upper(secret) }
    relations: [{ name: statusRef, from: status, entity: Status, to: code }]
tables:
  - { name: Status, mapping: Status }
  - { name: Things, mapping: Things }
`;
const enumSchema = schemaOf(enums);

const northwind = mappingOf(northwindSchema());

export const cases: readonly DdlCase[] = [
  {
    name: 'northwind',
    comment: 'an empty database gets all tables, then indexes, then foreign keys',
    mapping: northwind,
    existing: [],
  },
  {
    name: 'types',
    comment: 'each type and default; an expression that SQL does not share gets no DEFAULT',
    mapping: mappingOf(schemaOf(types)),
    existing: [],
  },
  {
    name: 'names',
    comment:
      'reserved, dotted, underscored and quoted names; constraint names that would be too long',
    mapping: mappingOf(schemaOf(names)),
    existing: [],
  },
  {
    name: 'one-to-one',
    comment:
      'one foreign key for each pair, none for a weak relation, a remark where the target is not a key, keys of several columns',
    mapping: mappingOf(schemaOf(pairs)),
    existing: [],
  },
  {
    name: 'enums',
    comment:
      'enums of texts become enumerated types, but not those of numbers, of keys that relations use, and of other stored values',
    mapping: mappingOf(enumSchema),
    enums: enumSchema.domain.enums,
    existing: [],
  },
  {
    name: 'additions',
    comment: 'what a table lacks is added; a required column without default comes nullable',
    mapping: mappingOf(schemaOf(additions)),
    existing: [
      table('parents', ['id', 'name']),
      table('children', ['id', 'parentid', 'other'], {
        primaryKey: ['id'],
        indexes: [['id'], ['parentid', 'other']],
      }),
    ],
  },
  {
    name: 'complete',
    comment: 'keys and references that are there count by their columns, whatever their names',
    mapping: mappingOf(schemaOf(additions)),
    existing: [
      table('parents', ['id', 'name', 'rank', 'active'], {
        primaryKey: ['id'],
        uniqueKeys: [['name']],
        indexes: [['id'], ['name']],
      }),
      table('children', ['id', 'parentid', 'born'], {
        primaryKey: ['id'],
        indexes: [['id'], ['parentid'], ['born', 'id']],
        foreignKeys: [
          {
            name: 'of_their_own',
            columns: ['parentid'],
            schema: 'public',
            table: 'parents',
            targetColumns: ['id'],
          },
        ],
      }),
    ],
  },
];
