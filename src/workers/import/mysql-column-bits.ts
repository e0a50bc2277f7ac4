/** The sizes of integer columns of MySQL and MariaDB, as `column-bits.ts` has them of PostgreSQL. */
import { dialectOf, type IntegerBits, type MappingEntity } from '../../engine/index.js';
import type { Session } from '../database/source.js';
import type { ColumnBits } from './column-bits.js';

const INTEGER_COLUMNS = `
SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE FROM information_schema.COLUMNS
WHERE TABLE_SCHEMA = DATABASE() AND DATA_TYPE IN ('smallint', 'int', 'bigint')
  AND COLUMN_TYPE NOT LIKE '%unsigned%'`;

const sizes: Readonly<Record<string, IntegerBits>> = { smallint: 16, int: 32, bigint: 64 };

/** Asks once for all entities of a source. */
export async function readMysqlColumnBits(
  session: Session,
  entities: readonly MappingEntity[],
): Promise<ColumnBits> {
  const { storedName } = dialectOf('MariaDB');
  const bits = new Map<string, IntegerBits | undefined>();
  await session.stream({ text: INTEGER_COLUMNS, parameters: [] }, 0, ([table, column, type]) => {
    bits.set(keyOf(table ?? '', column ?? ''), sizes[type ?? '']);
  });
  const byName = new Map(entities.map((entity) => [entity.name, entity]));
  return (name, property) => {
    const entity = byName.get(name);
    const column = entity?.properties.find((one) => one.name === property);
    if (!entity || !column) return undefined;
    return bits.get(keyOf(storedName(entity.mapping), storedName(column.mapping)));
  };
}

/** Names of columns have no case. */
function keyOf(table: string, column: string): string {
  return `${table}\n${column.toLowerCase()}`;
}
