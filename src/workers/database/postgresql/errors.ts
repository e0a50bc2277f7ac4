/** Maps SQLSTATEs to codes: the meaning of each failure of PostgreSQL or its connection. */
import pg from 'pg';
import {
  DATE_OUT_OF_RANGE,
  missingColumn,
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

const states: Readonly<Record<string, SourceErrorCode>> = {
  '22001': 'value-too-long',
  '22003': 'value-out-of-range',
  [NO_NUMBER]: 'value-out-of-range',
  [FAR_DATE]: 'value-out-of-range',
  '23502': 'not-null-violation',
  '23503': 'foreign-key-violation',
  '23505': 'unique-violation',
  '23514': 'check-violation',
  '25006': 'write-in-read-only',
  '26000': 'cached-plan-invalid',
  '40001': 'serialization-failure',
  '40P01': 'serialization-failure',
  '42501': 'permission-denied',
  '42725': 'operation-undefined',
  '42883': 'operation-undefined',
  '42P05': 'cached-plan-invalid',
  '53300': 'source-unavailable',
  // A text of more than a gigabyte.
  '54000': 'text-too-long',
  '57014': 'statement-timeout',
};

const classes: Readonly<Record<string, SourceErrorCode>> = {
  '08': 'source-unavailable',
  '22': 'evaluation-failed',
  '28': 'source-unavailable',
  '3D': 'source-unavailable',
  '42': 'schema-mismatch',
  '53': 'source-unavailable',
  // Limits of the server, such as the number of columns in a row.
  '54': 'evaluation-failed',
  // Operator intervention, except a cancel: the server stops.
  '57': 'source-unavailable',
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
  const code = states[sqlstate] ?? classes[sqlstate.slice(0, 2)] ?? 'internal';
  if (code === 'source-unavailable') return unreachable(error, sqlstate);
  if (sqlstate === FAR_DATE) {
    const parameter = parameterOf(error);
    const far = { sqlstate, detail: DATE_OUT_OF_RANGE, parameter, cause: error };
    return new SourceError(code, { ...far, ...placeOf(error) });
  }
  const parameter = code === 'evaluation-failed' ? parameterOf(error) : undefined;
  if (parameter !== undefined) {
    return new SourceError('parameter-type', { sqlstate, parameter, cause: error });
  }
  return new SourceError(code, {
    sqlstate,
    detail: detailOf(error, code),
    cause: error,
    ...placeOf(error),
  });
}

function detailOf(error: pg.DatabaseError, code: SourceErrorCode): string | undefined {
  if (error.code === NO_NUMBER) return NO_MORE_NUMBERS;
  return code === 'schema-mismatch' ? missingColumn(columnOf(error)) : undefined;
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
function placeOf(error: pg.DatabaseError): Pick<SourceErrorOptions, 'violation' | 'at'> {
  const [, table, line, column] =
    /^COPY (\S+), line (\d+)(?:, column (\S+?):)?/.exec(error.where ?? '') ?? [];
  if (table === undefined) return { violation: violationOf(error) };
  const violation = { table, columns: column === undefined ? [] : [column], values: [] };
  return { violation, at: { statement: 0, row: Number(line) - 1 } };
}

/** For class 23, the detail contains the key as `(a, b)=(1, x)` in any language. */
function violationOf(error: pg.DatabaseError): Violation | undefined {
  const { code, table, column, detail, constraint } = error;
  if (code === '23514') return { table, columns: [], values: [], constraint };
  if (!code?.startsWith('23') || table === undefined) return undefined;
  if (column !== undefined) return { table, columns: [column], values: [] };
  const [, columns = '', values = ''] = /\(([^)]*)\)=\((.*)\)/s.exec(detail ?? '') ?? [];
  const names = columns === '' ? [] : columns.split(', ').map(withoutQuotes);
  return { table, columns: names, values: names.length === 1 ? [values] : values.split(', ') };
}

function withoutQuotes(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
}

/** "cached plan must not change result type" differs from other 0A000 errors by its routine. */
function isChangedPlan(error: pg.DatabaseError): boolean {
  return error.code === '0A000' && error.routine === 'RevalidateCachedQuery';
}
