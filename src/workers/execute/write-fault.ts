/** Faults of the database told in the words of the schema: entities, properties, places of the data. */
import {
  type Catalog,
  entitiesOfTable,
  propertyOfColumn,
  type Schema,
  type StatementPlan,
  type WriteRow,
} from '../../engine/index.js';
import { SourceError, type Violation } from '../database/source-error.js';

/** What was written when a fault came. */
export interface FaultyWrite {
  readonly schema: Schema;
  /** What may be named: that of the view. */
  readonly visible: Catalog;
  readonly root: StatementPlan;
  /** Those of the root; none where rows were chosen in the database. */
  readonly rows: readonly WriteRow[];
}

/** The error with the entity, the properties and the place that it is about, as far as they are known. */
export function placedFault(error: unknown, fault: FaultyWrite): unknown {
  const { schema, visible, root, rows } = fault;
  if (!(error instanceof SourceError) || !error.violation) return error;
  const { violation, code, sqlstate } = error;
  const written = statementsOf(root, rows);
  const sources = new Set(written.map(({ statement }) => statement.source));
  const [source = root.source] = [...sources].filter(
    (name) => entitiesOfTable(schema, name, violation.table).length > 0,
  );
  const entities = entitiesOfTable(schema, source, violation.table);
  const found = written.find(({ statement }) =>
    entities.some(({ name }) => name === statement.entity),
  );
  const entity = entities.find(({ name }) => name === found?.statement.entity) ?? entities[0];
  if (!entity) return error;
  const isNamed = (property: string): boolean =>
    visible.property(entity.name, property) !== undefined;
  // The key that is told of a delete is that of the table which is referred to.
  const isReferred = code === 'foreign-key-violation' && root.clause === 'delete';
  const properties = (isReferred ? [] : violation.columns).flatMap(
    (column) => propertyOfColumn(schema, source, entity, column) ?? [],
  );
  if (!visible.entity(entity.name) || !properties.every(isNamed)) {
    const [only, other] = found?.rows ?? [];
    const place = other ? undefined : only?.place;
    return new SourceError(code, { sqlstate, cause: error.cause, place });
  }
  const detail = describe(code, entity.name, properties, isReferred);
  if (detail === undefined) return error;
  const place =
    error.place === undefined
      ? found && placeOf(found.rows, properties, violation)
      : placeIn(error.place, properties);
  return new SourceError(code, { sqlstate, detail, place, cause: error.cause });
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

function describe(
  code: SourceError['code'],
  entity: string,
  properties: readonly string[],
  isReferred: boolean,
): string | undefined {
  const named = properties.length > 0 ? ` in ${properties.join(', ')}` : '';
  switch (code) {
    case 'unique-violation':
      return `Another row of entity ${entity} has the same value${named}.`;
    case 'foreign-key-violation':
      return isReferred
        ? `Rows of entity ${entity} still refer to what is deleted.`
        : `A row of entity ${entity} refers to one that does not exist${named}.`;
    case 'not-null-violation':
      return `Cannot be null property ${properties.join(', ')} in entity ${entity}.`;
    case 'check-violation':
      return `A row of entity ${entity} does not meet a condition of the database.`;
    default:
      return undefined;
  }
}

/** The row that has the values which the database told of; of equal ones the later is too many. */
function placeOf(
  rows: readonly WriteRow[],
  properties: readonly string[],
  violation: Violation,
): string | undefined {
  const isMeant = (row: WriteRow): boolean => hasValues(row, properties, violation);
  const row = rows.length === 1 ? rows[0] : rows.findLast(isMeant);
  if (!row) return undefined;
  return placeIn(row.place, properties);
}

/** The place of the one property, else that of the row. */
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
