/** Gives pushed tables the columns of other types that a domain has. */
import { dialectOf } from '../../../src/engine/dialects/dialects.js';
import type { Domain, Entity, Property } from '../world/domain.js';
import type { WorldDatabase } from './database.js';

/** Changes the types of the columns; the tables are empty. */
export async function alterColumns(database: WorldDatabase, { entities }: Domain): Promise<void> {
  for (const entity of entities) {
    const columns = entity.properties.filter(({ columnType }) => columnType !== undefined);
    if (columns.length === 0) continue;
    if (database.source.dialect !== 'PostgreSQL') await modifyColumns(database, entity, columns);
    else for (const each of columns) await alterColumn(database, entity, each);
  }
}

async function alterColumn(
  database: WorldDatabase,
  { table }: Entity,
  { column, columnType = '', isOfDomain, name }: Property,
): Promise<void> {
  const { quoteName } = dialectOf('PostgreSQL');
  const domain = quoteName(`"own ${name} of ${table.replaceAll('"', '')}"`);
  if (isOfDomain) await database.rows(`CREATE DOMAIN ${domain} AS ${columnType}`);
  const [own, type] = [quoteName(column), isOfDomain ? domain : columnType];
  await database.rows(
    `ALTER TABLE ${quoteName(table)} ALTER COLUMN ${own} TYPE ${type} USING ${own}::${type}`,
  );
}

/** A column's type in the statement that creates its table. */
const TYPE = /^\w+(\([\d,]+\))?( unsigned)?( CHARACTER SET \w+)?( COLLATE \w+)?/;

async function modifyColumns(
  database: WorldDatabase,
  { table }: Entity,
  columns: readonly Property[],
): Promise<void> {
  const { quoteName, storedName } = dialectOf('MariaDB');
  const [created] = await database.rows(`SHOW CREATE TABLE ${quoteName(table)}`);
  const lines = String(created?.['Create Table']).split('\n');
  const parts = columns.map(({ column, columnType = '' }) => {
    const name = `\`${storedName(column).replaceAll('`', '``')}\` `;
    const line = lines.find((each) => each.startsWith(`  ${name}`)) ?? '';
    const rest = line.slice(name.length + 2).replace(/,$/, '');
    const collation = / COLLATE \w+/.exec(rest)?.[0] ?? '';
    const isText = columnType.endsWith('text');
    return `MODIFY ${name}${rest.replace(TYPE, `${columnType}${isText ? collation : ''}`)}`;
  });
  await database.rows(`ALTER TABLE ${quoteName(table)} ${parts.join(', ')}`);
}
