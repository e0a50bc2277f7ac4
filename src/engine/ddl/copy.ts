/** The statements of a bulk load into PostgreSQL; the rows travel beside them. */
import type { MappingEntity } from '../schema/model.js';
import { postgresqlDdl } from './postgresql-ddl.js';

/** `COPY … FROM STDIN` in text format, a column for each property in their order. */
export function copyStatement(entity: MappingEntity): string {
  const columns = entity.properties.map(({ mapping }) => postgresqlDdl.quoteName(mapping));
  return `COPY ${postgresqlDdl.quoteName(entity.mapping)} (${columns.join(', ')}) FROM STDIN`;
}

/** Selects a row, if the table has one. */
export function anyRowStatement(entity: MappingEntity): string {
  return `SELECT FROM ${postgresqlDdl.quoteName(entity.mapping)} LIMIT 1`;
}

/** Moves the sequence of each autoIncrement property past the greatest value that is there. */
export function sequenceStatements(entity: MappingEntity): readonly string[] {
  const table = postgresqlDdl.quoteName(entity.mapping);
  return entity.properties
    .filter((property) => property.autoIncrement)
    .map(({ mapping }) => {
      const column = postgresqlDdl.quoteName(mapping);
      const stored = postgresqlDdl.text(postgresqlDdl.storedName(mapping));
      const sequence = `pg_get_serial_sequence(${postgresqlDdl.text(table)}, ${stored})`;
      return `SELECT setval(${sequence}, coalesce(max(${column}), 0) + 1, false) FROM ${table}`;
    });
}
