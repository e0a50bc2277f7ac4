/** Maps SQLSTATEs to codes: the meaning of each failure of PostgreSQL or its connection. */
import pg from 'pg';
import {
  DATE_OUT_OF_RANGE,
  EXCLUDED,
  NO_MORE_NUMBERS,
  SourceError,
  type SourceErrorCode,
  type SourceErrorOptions,
  type Violation,
} from '../source-error.js';
import { unreachable } from '../unreachable.js';

/** A date or a time. */
const FAR_DATE = '22008';
/** The sequence has reached its maximum. */
const NO_NUMBER = '2200H';

const EXCLUSION = '23P01';
/** The condition of an updatable view. */
const CHECK_OPTION = '44000';
/** A value for a column that is GENERATED ALWAYS. */
const GENERATED = '428C9';

const states: Readonly<Record<string, SourceErrorCode>> = {
  '22001': 'value-too-long',
  '22003': 'value-out-of-range',
  [NO_NUMBER]: 'value-out-of-range',
  [FAR_DATE]: 'value-out-of-range',
  // A foreign key with ON DELETE RESTRICT, since PostgreSQL 18.
  '23001': 'foreign-key-violation',
  '23502': 'not-null-violation',
  '23503': 'foreign-key-violation',
  '23505': 'unique-violation',
  '23514': 'check-violation',
  [EXCLUSION]: 'unique-violation',
  '25006': 'write-in-read-only',
  // A limit of the server for transactions, behind a pooler, has ended the connection.
  '25P03': 'source-unavailable',
  '25P04': 'source-unavailable',
  '26000': 'cached-plan-invalid',
  '40001': 'serialization-failure',
  '40P01': 'serialization-failure',
  '42501': 'permission-denied',
  [GENERATED]: 'refused-by-database',
  '42725': 'operation-undefined',
  '42846': 'operation-undefined',
  '42883': 'operation-undefined',
  '42P05': 'cached-plan-invalid',
  // Texts of columns with different collations.
  '42P21': 'evaluation-failed',
  '42P22': 'evaluation-failed',
  [CHECK_OPTION]: 'check-violation',
  '53300': 'source-unavailable',
  // A text of more than a gigabyte.
  '54000': 'text-too-long',
  // A view into which nothing can be stored, for example.
  '55000': 'refused-by-database',
  // The lock_timeout of the user or the database.
  '55P03': 'serialization-failure',
  '57014': 'statement-timeout',
};

const classes: Readonly<Record<string, SourceErrorCode>> = {
  '08': 'source-unavailable',
  // A rule that cannot be combined with the statement, for example.
  '0A': 'refused-by-database',
  '22': 'evaluation-failed',
  '28': 'source-unavailable',
  // Functions and triggers in other languages than SQL and PL/pgSQL.
  '38': 'refused-by-database',
  '3D': 'source-unavailable',
  '42': 'schema-mismatch',
  '53': 'source-unavailable',
  // Limits of the server, such as the number of columns in a row.
  '54': 'evaluation-failed',
  // Operator intervention, except a cancel: the server stops.
  '57': 'source-unavailable',
  // Errors that functions and triggers in PL/pgSQL raise.
  P0: 'refused-by-database',
};

/** The error of a statement that the server or its connection made fail. */
export function postgresqlError(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  if (!(error instanceof pg.DatabaseError)) {
    return unreachable(error);
  }
  const sqlstate = error.code ?? '';
  if (isChangedPlan(error))
    return new SourceError('cached-plan-invalid', { sqlstate, cause: error });
  const code = codeOf(error, sqlstate);
  if (code === 'source-unavailable') return unreachable(error, sqlstate);
  const parameter = parameterOf(error);
  if (code === 'evaluation-failed' && parameter !== undefined) {
    return new SourceError('parameter-type', { sqlstate, parameter, cause: error });
  }
  const detail = detailOf(error);
  const missing = isRaised(error) ? undefined : columnOf(error);
  const told = { sqlstate, detail, missing, cause: error, ...placeOf(error, code) };
  return new SourceError(code, code === 'value-out-of-range' ? { ...told, parameter } : told);
}

/** Whether a function or a trigger in PL/pgSQL has raised the error, whose state it chooses. */
const isRaised = ({ routine }: pg.DatabaseError): boolean => routine === 'exec_stmt_raise';

function codeOf(error: pg.DatabaseError, sqlstate: string): SourceErrorCode {
  if (isWithoutKey(error)) return 'schema-mismatch';
  if (!isRaised(error) && isUnreadable(error)) return 'evaluation-failed';
  if (isWithoutCommonType(error)) return 'operation-undefined';
  const known = states[sqlstate];
  if (known !== undefined) return known;
  return isRaised(error) ? 'refused-by-database' : (classes[sqlstate.slice(0, 2)] ?? 'internal');
}

/** Whether a text is no label path (`ltree`): reported like errors of syntax and names, but without a place in SQL. */
function isUnreadable({ code, position, internalPosition }: pg.DatabaseError): boolean {
  const isPlaced = position !== undefined || internalPosition !== undefined;
  return (code === '42601' || code === '42622') && !isPlaced;
}

/** Whether an expression chooses between values without a common type, such as a text and a `macaddr`. */
function isWithoutCommonType({ routine = '' }: pg.DatabaseError): boolean {
  return ['select_common_type', 'coerce_to_common_type'].includes(routine);
}

/** A more specific sentence than that of the code. */
function detailOf(error: pg.DatabaseError): string | undefined {
  if (error.code === FAR_DATE) return DATE_OUT_OF_RANGE;
  if (isRaised(error)) return undefined;
  if (isWithoutKey(error)) return NO_KEY;
  if (error.code === NO_NUMBER) return NO_MORE_NUMBERS;
  return error.code === EXCLUSION ? EXCLUDED : undefined;
}

const NO_KEY =
  'PostgreSQL cannot upsert into this table or view: an upsert needs a unique constraint on exactly the columns of ' +
  'its key, which must not be DEFERRABLE. Create the constraint, or use insert and update.';

/** Whether the target of an upsert has nothing that ON CONFLICT can use. */
function isWithoutKey({ code, message }: pg.DatabaseError): boolean {
  return code === '42P10' || (code === '55000' && message.includes('ON CONFLICT'));
}

/** `column s.phone does not exist`, `column "phone" of relation "shippers" does not exist`. */
function columnOf({ code, message }: pg.DatabaseError): string | undefined {
  if (code !== '42703') return undefined;
  const [, alone, qualified] =
    /^column (?:"([^"]+)"|[^."]+\.(.+?))(?: of | does )/.exec(message) ?? [];
  return alone ?? qualified;
}

/** Since PostgreSQL 16, an error of a parameter's text says which it is: `unnamed portal parameter $1`. */
function parameterOf({ where = '' }: pg.DatabaseError): number | undefined {
  const [, number] = /\bportal\b.* parameter \$(\d+)/.exec(where) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** An error of COPY names the place: `COPY rowgate_import_0, line 1, column c3: "…"`. */
function placeOf(
  error: pg.DatabaseError,
  code: SourceErrorCode,
): Pick<SourceErrorOptions, 'violation' | 'at'> {
  const [, table, line, column] =
    /^COPY (\S+), line (\d+)(?:, column (\S+?):)?/.exec(error.where ?? '') ?? [];
  if (table === undefined) return { violation: violationOf(error, code) };
  const violation = { table, columns: column === undefined ? [] : [column], values: [] };
  return { violation, at: { statement: 0, row: Number(line) - 1 } };
}

/** For class 23, the detail contains the key as `(a, b)=(1, x)` in any language. */
function violationOf(error: pg.DatabaseError, code: SourceErrorCode): Violation | undefined {
  const { code: state, schema, table, column, detail, constraint } = error;
  if (code === 'check-violation' || code === 'refused-by-database')
    return { schema, table, columns: generatedColumns(error), values: [], constraint };
  if (!state?.startsWith('23') || state === EXCLUSION || table === undefined) return undefined;
  if (column !== undefined) return { schema, table, columns: [column], values: [] };
  const [, columns = '', values = ''] = /\(([^)]*)\)=\((.*)\)/s.exec(detail ?? '') ?? [];
  const names = columns === '' ? [] : columns.split(', ').map(withoutQuotes);
  const parts = names.length === 1 ? [values] : values.split(', ');
  return { schema, table, columns: names, values: parts, constraint };
}

/** `column "number" can only be updated to DEFAULT`. */
function generatedColumns({ code, message }: pg.DatabaseError): readonly string[] {
  const [, name] = /"(.+)"/.exec(message) ?? [];
  return code === GENERATED && name !== undefined ? [name] : [];
}

function withoutQuotes(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
}

/** "cached plan must not change result type" differs from other 0A000 errors by its routine. */
function isChangedPlan(error: pg.DatabaseError): boolean {
  return error.code === '0A000' && error.routine === 'RevalidateCachedQuery';
}
