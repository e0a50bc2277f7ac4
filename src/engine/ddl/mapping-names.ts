/** The names of existing tables and columns, as a mapping of the schema file has them. */
import { dialectOf } from '../dialects/dialects.js';
import { quoted } from '../dialects/quote-name.js';
import { storedTable } from '../dialects/table-name.js';
import type { DialectName } from '../schema/model.js';
import type { ExistingTable } from './existing.js';

/** The name of a column for the schema file: quoted if it would otherwise name another column. */
export function columnMapping(name: string, dialect: DialectName): string {
  return dialectOf(dialect).storedName(name) === name ? name : quoted(name, '"');
}

/** The name of a table for the schema file, with its schema if that is needed. */
export function tableMapping(table: ExistingTable, dialect: DialectName): string {
  const own = dialectOf(dialect);
  const bare = storedTable(own, table.name);
  const isPlain = bare.schema === undefined && bare.name === table.name;
  const name = isPlain ? table.name : quoted(table.name, '"');
  if (table.isVisible) return name;
  const whole = `${table.schema}.${name}`;
  const stored = storedTable(own, whole);
  const isFound = stored.schema === table.schema && stored.name === table.name;
  return isFound ? whole : `${quoted(table.schema, '"')}.${quoted(table.name, '"')}`;
}
