/** What a database says against imported rows, told in the names of the schema. */
import pg from 'pg';
import { ImportError, type MappingEntity, postgresqlDdl } from '../../engine/index.js';
import { postgresqlError } from '../database/postgresql/errors.js';
import type { SourceError, SourceErrorCode } from '../database/source-error.js';
import type { StagedTable } from './staged-statements.js';

export interface FaultSettings {
  readonly error: unknown;
  /** Whose rows were sent or stored. */
  readonly table: StagedTable | undefined;
  readonly client: pg.ClientBase;
  readonly entities: readonly MappingEntity[];
}

/** The entity at fault and those of its properties that are known to be. */
export interface Culprit {
  readonly entity: string;
  readonly properties: readonly string[];
}

/**
 * The error to answer with: an `ImportError` for a fault of the rows, a `SourceError` for any other.
 * The failed transaction is ended, so that the connection can be asked what a constraint is about.
 */
export async function importFault(settings: FaultSettings): Promise<Error> {
  const { error } = settings;
  const known = postgresqlError(error);
  if (!(error instanceof pg.DatabaseError) || !isOfRows(known)) return known;
  try {
    return rowsFault(known, await findCulprit(settings, error), error);
  } catch (lost) {
    // The connection went away before it could be asked.
    return postgresqlError(lost);
  }
}

/** Whether it is the rows that are at fault. */
export function isOfRows({ code }: SourceError): boolean {
  return sentences[code] !== undefined;
}

/** The error of rows, told in the names of the schema. */
export function rowsFault(known: SourceError, culprit: Culprit, cause: unknown): ImportError {
  const { entity, properties } = culprit;
  const names = properties.map((name) => `'${name}'`).join(', ');
  const detail = sentences[known.code]?.(entity, names) ?? known.message;
  const { code, sqlstate } = known;
  return new ImportError({ code, detail, ...(sqlstate && { sqlstate }) }, { cause });
}

type Tell = (entity: string, properties: string) => string;

const sentences: Partial<Record<SourceErrorCode, Tell>> = {
  'unique-violation': (entity, properties) =>
    `Two rows of '${entity}' would have the same ${properties || 'unique value'}.`,
  'foreign-key-violation': (entity, properties) =>
    `A row of '${entity}' refers${properties && ` by ${properties}`} to one that does not exist.`,
  'not-null-violation': (entity, properties) =>
    `A row of '${entity}' has no ${properties || 'value'}, which must not be null.`,
  'check-violation': (entity, properties) =>
    `A row of '${entity}' does not meet a condition of the database${properties && ` on ${properties}`}.`,
  'value-too-long': (entity, properties) =>
    `A row of '${entity}' has a text${properties && ` in ${properties}`} that its column cannot hold.`,
  'value-out-of-range': (entity, properties) =>
    `A row of '${entity}' has a number${properties && ` in ${properties}`} that its column cannot hold.`,
};

async function findCulprit(settings: FaultSettings, error: pg.DatabaseError): Promise<Culprit> {
  const { table, entities } = settings;
  const { storedName } = postgresqlDdl;
  const named = entities.find(({ mapping }) => storedName(mapping) === error.table);
  const entity = named ?? table?.entity;
  if (!entity) return { entity: 'an entity', properties: [] };
  const columns = await faultyColumns(settings.client, error);
  const properties = columns.flatMap((column) => {
    const property = entity.properties.find(({ mapping }) => storedName(mapping) === column);
    return property ? [property.name] : [];
  });
  return {
    entity: entity.name,
    properties: properties.length > 0 ? properties : stagedProperty(table, error),
  };
}

/** A fault of COPY tells where it stopped: `COPY rowgate_import_0, line 1, column c3: "…"`. */
function stagedProperty(table: StagedTable | undefined, error: pg.DatabaseError): string[] {
  const [, index] = /^COPY \S+ .*?\bc(\d+)\b/.exec(error.where ?? '') ?? [];
  const field = index === undefined ? undefined : table?.staged.fields[Number(index)];
  return field ? [field.property.name] : [];
}

const CONSTRAINT_COLUMNS = `
SELECT a.attname::text AS name
FROM (
  SELECT conrelid AS relation, conkey AS numbers FROM pg_constraint
    WHERE conname = $1 AND conrelid = $2::regclass
  UNION ALL
  SELECT i.indrelid, i.indkey::int2[] FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE c.relname = $1 AND i.indrelid = $2::regclass
) AS found
CROSS JOIN LATERAL unnest(found.numbers) WITH ORDINALITY AS k (number, position)
JOIN pg_attribute a ON a.attrelid = found.relation AND a.attnum = k.number
GROUP BY a.attname ORDER BY min(k.position)`;

async function faultyColumns(
  client: pg.ClientBase,
  error: pg.DatabaseError,
): Promise<readonly string[]> {
  if (error.column !== undefined) return [error.column];
  const { constraint, schema, table } = error;
  if (constraint === undefined || table === undefined) return [];
  const quote = postgresqlDdl.quoteStored;
  const relation = `${schema === undefined ? '' : `${quote(schema)}.`}${quote(table)}`;
  await client.query('ROLLBACK');
  const { rows } = await client.query<{ name: string }>(CONSTRAINT_COLUMNS, [constraint, relation]);
  return rows.map((row) => row.name);
}
