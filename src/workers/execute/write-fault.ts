/** Translates errors of the database to names of the schema, and to places in the data. */
import {
  type Catalog,
  entitiesOfTable,
  propertyOfColumn,
  type Schema,
  type StatementPlan,
  type WriteRow,
} from '../../engine/index.js';
import { DATE_OUT_OF_RANGE, SourceError, type Violation } from '../database/source-error.js';

export interface FaultyWrite {
  readonly schema: Schema;
  /** The catalog under the view, whose names may be shown. */
  readonly visible: Catalog;
  readonly root: StatementPlan;
  /** The root rows; empty for a write by filter. */
  readonly rows: readonly WriteRow[];
}

/** The error with its entity, properties and place, as far as they are known. */
export function placedFault(error: unknown, fault: FaultyWrite): unknown {
  const { schema, visible, root, rows } = fault;
  if (!(error instanceof SourceError) || !error.violation) return error;
  const { violation, code, sqlstate } = error;
  const written = statementsOf(root, rows);
  const sources = new Set(written.map(({ statement }) => statement.source));
  const { table = onlyTable(written) } = violation;
  if (table === undefined) return error;
  const stored = { name: table, schema: violation.schema };
  const [source = root.source] = [...sources].filter(
    (name) => entitiesOfTable(schema, name, stored).length > 0,
  );
  const entities = entitiesOfTable(schema, source, stored);
  const found = written.find(({ statement }) =>
    entities.some(({ name }) => name === statement.entity),
  );
  const entity = entities.find(({ name }) => name === found?.statement.entity) ?? entities[0];
  // Several included relations may lead to the entity.
  const ofEntity = written.filter(({ statement }) => statement.entity === entity?.name);
  const candidates = ofEntity.flatMap((each) => each.rows);
  if (!entity) return error;
  const isNamed = (property: string): boolean =>
    visible.property(entity.name, property) !== undefined;
  // For a delete, the reported key belongs to the referenced table.
  const isReferred = code === 'foreign-key-violation' && root.clause === 'delete';
  const properties = (isReferred ? [] : violation.columns).flatMap(
    (column) => propertyOfColumn(schema, source, entity, column) ?? [],
  );
  if (!visible.entity(entity.name) || !properties.every(isNamed)) {
    const [only, other] = candidates;
    // Of a reference to a hidden row, the row that contains it is not known.
    const place = other || code === 'foreign-key-violation' ? undefined : only?.place;
    return new SourceError(code, { sqlstate, cause: error.cause, place });
  }
  // The name of a condition might reveal a property that the view hides.
  const isWhole = entity.properties.every(({ name }) => isNamed(name));
  const constraint = isWhole ? violation.constraint : undefined;
  const hasColumn = violation.columns.length > 0;
  const isDate = error.message === DATE_OUT_OF_RANGE;
  const violated = { entity: entity.name, properties, isReferred, constraint, hasColumn, isDate };
  const detail = describe(code, violated);
  if (detail === undefined) return error;
  const place =
    error.place === undefined
      ? placeOf(candidates, properties, error)
      : placeIn(error.place, properties);
  const isOfData = code === 'evaluation-failed' && (rows.length > 0 || error.place !== undefined);
  const shown = isOfData ? 'parameter-type' : code;
  const isReported = code === 'not-null-violation' && properties.length === 0;
  return error.with({ code: shown, detail, place, violation: undefined, isReported });
}

interface WrittenStatement {
  readonly statement: StatementPlan;
  readonly rows: readonly WriteRow[];
}

function statementsOf(
  statement: StatementPlan,
  rows: readonly WriteRow[],
): readonly WrittenStatement[] {
  return [
    { statement, rows },
    ...statement.includes.flatMap((include, index) =>
      statementsOf(
        include.statement,
        rows.flatMap(({ related }) => related[index] ?? []),
      ),
    ),
  ];
}

function onlyTable(written: readonly WrittenStatement[]): string | undefined {
  return written.length === 1 ? written[0]?.statement.write?.storedTable : undefined;
}

interface Violated {
  readonly entity: string;
  readonly properties: readonly string[];
  readonly isReferred: boolean;
  readonly constraint: string | undefined;
  /** Whether the database named a column; if it is of no property, the schema does not map it. */
  readonly hasColumn: boolean;
  readonly isDate: boolean;
}

function describe(
  code: SourceError['code'],
  { entity, properties, isReferred, constraint, hasColumn, isDate }: Violated,
): string | undefined {
  const names = properties.join(', ');
  const named = names === '' ? '' : ` in ${names}`;
  switch (code) {
    case 'unique-violation':
      return `Another row of entity ${entity} has the same value${named}.`;
    case 'foreign-key-violation':
      return isReferred
        ? `Rows of entity ${entity} still refer to the deleted row.`
        : `A row of entity ${entity} refers to one that does not exist${named}.`;
    case 'not-null-violation':
      if (names !== '') return `Cannot be null property ${names} in entity ${entity}.`;
      return hasColumn
        ? `A column that entity ${entity} does not map must not be null. Its name is in the log.`
        : undefined;
    case 'check-violation':
      return constraint === undefined
        ? `A row of entity ${entity} does not meet a condition of the database.`
        : `A row of entity ${entity} does not meet the condition '${constraint}' of the database.`;
    case 'refused-by-database':
      if (names !== '') {
        return `The database always generates ${names} of entity ${entity}: leave it out of the write.`;
      }
      return `The database refused a write to entity ${entity}, for example by a trigger. Its message is in the log.`;
    case 'evaluation-failed':
    case 'parameter-type':
      return names === ''
        ? undefined
        : `A value does not fit the column of ${names} in entity ${entity}.`;
    case 'value-out-of-range':
      return names === ''
        ? undefined
        : `A ${isDate ? 'date' : 'number'} is out of the range of ${names} in entity ${entity}.`;
    case 'value-too-long':
      return names === '' ? undefined : `A value is too long for ${names} in entity ${entity}.`;
    default:
      return undefined;
  }
}

/** Of equal rows, the later one is the duplicate, but the first one is reported to refer to no row. */
function placeOf(
  rows: readonly WriteRow[],
  properties: readonly string[],
  { code, violation }: SourceError,
): string | undefined {
  const isMeant = (row: WriteRow): boolean =>
    violation !== undefined && hasValues(row, properties, violation);
  const isFirst = code === 'foreign-key-violation';
  const equal = isFirst ? rows.find(isMeant) : rows.findLast(isMeant);
  const row = rows.length === 1 ? rows[0] : equal;
  if (!row) return undefined;
  return placeIn(row.place, properties);
}

/** The place of the property if there is one, otherwise that of the row. */
function placeIn(row: string, [property, other]: readonly string[]): string {
  return property === undefined || other !== undefined ? row : `${row}.${property}`;
}

function hasValues(
  { given, defaults }: WriteRow,
  properties: readonly string[],
  { values }: Violation,
): boolean {
  if (values.length === 0 || values.length !== properties.length) return false;
  return properties.every(
    (name, index) => (given.get(name) ?? defaults.get(name)) === values[index],
  );
}
