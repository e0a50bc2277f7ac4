/** Random tables, as an existing database may have them: their statements, and rows for them. */
import type { Random } from '../random/random.js';
import type { DialectName } from '../../src/engine/schema/model.js';
import { type ColumnType, columnTypesOf } from './column-types.js';

/** A database, as SQL statements. */
export interface RandomTables {
  /** The types, tables and views. */
  readonly definitions: readonly string[];
  /** The inserts. */
  readonly rows: readonly string[];
  readonly tables: readonly StoredTable[];
}

/** A table, and its columns of supported types, as they are written in SQL. */
export interface StoredTable {
  readonly sql: string;
  readonly columns: readonly string[];
}

interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly isRequired: boolean;
  /** What follows the type. */
  readonly clause: string;
  /** Set if the database makes its values. */
  readonly isGenerated: boolean;
}

interface Table {
  readonly name: string;
  readonly sql: string;
  readonly columns: readonly Column[];
  /** The columns of the primary key, or of a unique key. */
  readonly keys: readonly (readonly Column[])[];
  /** The values of each row, as SQL. */
  readonly rows: ReadonlyMap<string, string>[];
  readonly references: readonly Reference[];
  /** What follows the columns: partitions, or a comment. */
  readonly options: string;
}

interface Reference {
  readonly columns: readonly Column[];
  readonly target: Table | 'self';
  readonly key: readonly Column[];
}

const words = [
  ...['order', 'user', 'group', 'Customer', 'customers', 'order_items', 'OrderItem', 'tbl_invoice'],
  ...['Person', 'people', 'category', 'news', 'status', 'address', '2fa', 'A', 'über', 'log-entry'],
  ...['data', 'select', 'class', 'T', 'x y', 'Straße', 'key', 'query', 'stage', 'count', 'sum'],
  ...[
    'include',
    'filter',
    'name',
    'null',
    'true',
    'now',
    'p',
    'constructor',
    '__proto__',
    'toString',
  ],
];
const columnWords = [
  ...['id', 'ID', 'name', 'Name', 'first_name', 'firstName', 'order', 'group', 'select', 'value'],
  ...['is_active', 'createdAt', 'created_at', 'x', 'X1', '1st', 'a b', 'größe', 'price$', 'from'],
  ...[
    'null',
    'true',
    'data',
    'type',
    'count',
    'sum',
    'length',
    'p',
    'desc',
    'constructor',
    'user_id',
  ],
  ...[
    '__proto__',
    'toString',
    'parent',
    'parent_id',
    'customer',
    'customer_id',
    'key',
    'in',
    'and',
  ],
];
const ROWS_MAX = 8;

export function randomTables(random: Random, dialect: DialectName): RandomTables {
  const { quote, types, definitions, serial, schemas } = columnTypesOf(dialect);
  const isFolded = dialect !== 'PostgreSQL';
  const names = distinct(random.some(words, 2 + random.below(5)), true);
  const tables: Table[] = [];
  for (const name of names) tables.push(table(name));
  const ddl = [...definitions, ...tables.map(createTable), ...tables.flatMap(partitionsOf)];
  const views = tables.flatMap((each, index) => {
    if (!random.chance(0.2)) return [];
    const list = each.columns.map((column) => quote(column.name)).join(', ');
    return [`CREATE VIEW ${quote(`view ${index}`)} AS SELECT ${list} FROM ${each.sql}`];
  });
  return {
    definitions: [...ddl, ...views],
    rows: tables.flatMap(insertsOf),
    tables: tables.map(({ sql, columns }) => ({
      sql,
      columns: columns
        .filter(({ type }) => type.isSupported !== false)
        .map((column) => quote(column.name)),
    })),
  };

  function table(name: string): Table {
    const schema = random.chance(0.2) ? random.pick(schemas) : '';
    const sql = schema === '' ? quote(name) : `${quote(schema)}.${quote(name)}`;
    const columns: Column[] = [];
    const keys: Column[][] = [];
    const references: Reference[] = [];
    const columnNames = distinct(random.some(columnWords, 2 + random.below(7)), isFolded);
    const keyKind = random.weighted([
      [3, 'serial'],
      [3, 'given'],
      [2, 'several'],
      [1, 'none'],
    ] as const);
    const keyable = types.filter(({ isKey }) => isKey);
    const add = (type: ColumnType, isRequired: boolean, clause = '') => {
      const own = columnNames.shift();
      if (own === undefined) return undefined;
      const column = { name: own, type, isRequired, clause, isGenerated: clause.includes(' AS (') };
      columns.push(column);
      return column;
    };
    if (keyKind === 'serial') {
      const { type, clause } = random.pick(serial);
      const only = add(type, true, clause);
      if (only) keys.push([only]);
    } else if (keyKind !== 'none') {
      const count = keyKind === 'given' ? 1 : 2 + random.below(2);
      const parts = Array.from({ length: count }, () => add(random.pick(keyable), true));
      keys.push(parts.filter((part) => part !== undefined));
    }
    if (random.chance(0.3)) {
      const unique = add(random.pick(keyable), random.chance(0.6));
      if (unique) keys.push([unique]);
    }
    const targets: (Table | 'self')[] = [...random.some(tables, 2)];
    if (random.chance(0.3) && keys.length > 0) targets.push('self');
    for (const target of targets) {
      const found = target === 'self' ? keys : target.keys;
      if (found.length === 0) continue;
      const key = random.pick(found);
      if (key.length > columnNames.length) continue;
      const isRequired = target !== 'self' && random.chance(0.4);
      const own = key.map(({ type }) => add({ ...type, ...plainOf(type) }, isRequired));
      const list = own.filter((column) => column !== undefined);
      if (list.length === key.length) references.push({ columns: list, target, key });
    }
    // A generated column cannot use a number that the database makes.
    const counted = columns.find(
      ({ type, clause }) => clause === '' && (type.sql === 'integer' || type.sql === 'int'),
    );
    if (counted && random.chance(0.5)) {
      add(counted.type, false, ` GENERATED ALWAYS AS (${quote(counted.name)} % 7) STORED`);
    }
    while (columnNames.length > 0) {
      const type = random.pick(types);
      const isRequired = random.chance(0.4) && type.isSupported !== false;
      const hasDefault = random.chance(0.25) && type.mayDefault !== false;
      add(type, isRequired, hasDefault ? ` DEFAULT ${type.value(random)}` : '');
    }
    const options = optionsOf(keys);
    const made: Table = { name, sql, columns, keys, references, options, rows: [] };
    const count = random.below(ROWS_MAX + 1);
    for (let row = 0; row < count; row += 1) addRow(made);
    return made;
  }

  function optionsOf(keys: readonly (readonly Column[])[]): string {
    if (dialect !== 'PostgreSQL') return random.chance(0.2) ? ` COMMENT 'it''s a "table"'` : '';
    const [key, ...others] = keys;
    // A key of a partitioned table must contain what it is partitioned by.
    const isPartitioned = key && isPrimary(key) && others.length === 0 && random.chance(0.15);
    return isPartitioned ? ` PARTITION BY HASH (${quote(key[0]?.name ?? '')})` : '';
  }

  function addRow(made: Table): void {
    const row = new Map<string, string>();
    for (const column of made.columns.filter(({ isGenerated }) => !isGenerated)) {
      const isNull = !column.isRequired && random.chance(0.3);
      row.set(column.name, isNull ? 'NULL' : column.type.value(random));
    }
    for (const { columns, target, key } of made.references) {
      const rows = (target === 'self' ? made : target).rows.filter((each) =>
        key.every(({ name }) => each.get(name) !== 'NULL'),
      );
      const isRequired = columns.some((column) => column.isRequired);
      if (rows.length === 0 && isRequired) return;
      const found = rows.length > 0 && (isRequired || random.chance(0.7)) && random.pick(rows);
      for (const [index, { name }] of columns.entries()) {
        row.set(name, found ? (found.get(key[index]?.name ?? '') ?? 'NULL') : 'NULL');
      }
    }
    const isTaken = made.keys.some((key) =>
      made.rows.some((other) =>
        key.every(({ name, type }) => type.normal(row.get(name)) === type.normal(other.get(name))),
      ),
    );
    if (!isTaken) made.rows.push(row);
  }

  function createTable({ sql, columns, keys, references, options }: Table): string {
    const lines = columns.map(
      ({ name, type, isRequired, clause }) =>
        `${quote(name)} ${type.sql}${isRequired ? ' NOT NULL' : (type.nullClause ?? '')}${clause}`,
    );
    for (const [index, key] of keys.entries()) {
      const list = key.map(({ name }) => quote(name)).join(', ');
      lines.push(`${index === 0 && isPrimary(key) ? 'PRIMARY KEY' : 'UNIQUE'} (${list})`);
    }
    for (const { columns: own, target, key } of references) {
      const list = own.map(({ name }) => quote(name)).join(', ');
      const other = key.map(({ name }) => quote(name)).join(', ');
      lines.push(
        `FOREIGN KEY (${list}) REFERENCES ${target === 'self' ? sql : target.sql} (${other})`,
      );
    }
    const checked = columns.find(
      ({ type, clause }) => ['integer', 'int'].includes(type.sql) && !clause.includes('AUTO'),
    );
    if (checked && random.chance(0.3)) lines.push(`CHECK (${quote(checked.name)} > -100)`);
    return `CREATE TABLE ${sql} (${lines.join(', ')})${options}`;
  }

  function partitionsOf({ sql, options }: Table): string[] {
    if (!options.startsWith(' PARTITION')) return [];
    return [0, 1].map((part) => {
      const own = sql.replace(/"$/, ` ${part}"`);
      return `CREATE TABLE ${own} PARTITION OF ${sql} FOR VALUES WITH (MODULUS 2, REMAINDER ${part})`;
    });
  }

  function isPrimary(key: readonly Column[]): boolean {
    return key.every(({ isRequired }) => isRequired);
  }

  function insertsOf({ sql, columns, rows }: Table): string[] {
    const stored = columns.filter(({ isGenerated }) => !isGenerated);
    const list = stored.map(({ name }) => quote(name)).join(', ');
    return rows.map((row) => {
      const values = stored.map(({ name }) => row.get(name) ?? 'NULL').join(', ');
      const isForced = columns.some(({ clause }) => clause.endsWith('ALWAYS AS IDENTITY'));
      const word = isForced ? 'OVERRIDING SYSTEM VALUE VALUES' : 'VALUES';
      return `INSERT INTO ${sql} (${list}) ${word} (${values})`;
    });
  }
}

/** A foreign key of a generated key is a plain column. */
function plainOf({ plain }: ColumnType): { readonly sql?: string } {
  return plain === undefined ? {} : { sql: plain };
}

/** Without names that differ only in case, where the database takes these for the same. */
function distinct(names: readonly string[], isFolded: boolean): string[] {
  const seen = new Set<string>();
  return names.filter((name) => {
    const key = isFolded ? name.toLowerCase() : name;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
