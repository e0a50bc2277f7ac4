/** The clauses of queries, and the aggregates of relations, for completion. */

export interface Word {
  readonly name: string;
  readonly detail: string;
  /** The text that is inserted between the parentheses; `|` marks the cursor. */
  readonly inserted: string;
  readonly info: string;
}

const clause = (name: string, inserted: string, info: string): Word => ({
  ...{ name, inserted, info },
  detail: 'clause',
});

export const readingClauses: readonly Word[] = [
  clause('filter', 'p=>p.|', 'Keeps the rows for which the condition is true.'),
  clause('map', 'p=>[p.|]', 'Chooses the columns.'),
  clause('include', 'p=>p.|', 'Adds the rows of a relation as nested rows.'),
  clause('sort', 'p=>p.|', 'Sorts by a key, or by a list of keys; desc(…) reverses one.'),
  clause('page', '1, 20|', 'Returns a page; pages count from 1.'),
  clause('first', 'p=>p.|', 'Returns the first row in the order of the sort.'),
  clause('last', 'p=>p.|', 'Returns the last row in the order of the sort.'),
  clause('take', '10|', 'Returns that many rows.'),
  clause('after', 'cursor|', 'Returns the rows after an earlier page; needs take.'),
  clause('distinct', 'p=>p.|', 'Chooses columns, with duplicates removed.'),
  clause('having', 'p=>|', 'Keeps the groups for which the condition is true.'),
  clause('count', '|', 'Returns the number of rows.'),
];

export const writingClauses: readonly Word[] = [
  clause('insert', '|', 'Inserts a row from the data.'),
  clause('bulkInsert', '|', 'Inserts the rows of a list.'),
  clause('update', '|', 'Updates the row in the data; with an object, the filtered rows.'),
  clause('updateAll', '|', 'Updates all rows.'),
  clause('upsert', '|', 'Inserts a row, or updates it if its key exists.'),
  clause('bulkUpsert', '|', 'Upserts the rows of a list.'),
  clause('delete', '|', 'Deletes the row in the data, or the filtered rows.'),
  clause('deleteAll', '|', 'Deletes all rows.'),
];

const aggregate = (name: string, inserted: string, info: string): Word => ({
  ...{ name, inserted, info },
  detail: 'aggregate',
});

const aggregates = [
  ['sum', 'sum'],
  ['avg', 'mean'],
  ['min', 'least value'],
  ['max', 'greatest value'],
] as const;

/** The aggregates of a to-many relation in an expression. */
export const relationAggregates: readonly Word[] = [
  aggregate('exists', 'd=>d.|', 'Whether a related row fulfils the condition.'),
  ...aggregates.map(([name, result]) =>
    aggregate(name, 'd=>d.|', `The ${result} of the related rows.`),
  ),
];

/** Aggregates and directions of a sort, which come before their argument. */
export const looseWords: readonly Word[] = [
  aggregate('count', '|', 'The number of rows, or of values that are not null.'),
  ...aggregates.map(([name, result]) => aggregate(name, '|', `The ${result} of a group.`)),
  { name: 'desc', detail: 'sort', inserted: '|', info: 'Sorts in descending order.' },
  { name: 'asc', detail: 'sort', inserted: '|', info: 'Sorts in ascending order.' },
  aggregate('exists', 'p.|', 'Whether a related row fulfils a condition.'),
];
