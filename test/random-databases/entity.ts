/** What the tests of random databases know of an entity, and how they read its rows. */
import { post, type Program } from '../support/program.js';

export interface Entity {
  readonly name: string;
  readonly primaryKey: readonly string[];
  readonly uniqueKey: readonly string[];
  readonly properties: readonly PropertyShape[];
  readonly relations: readonly RelationShape[];
  readonly view?: boolean;
}

export interface PropertyShape {
  readonly name: string;
  readonly type: string;
  readonly readOnly?: boolean;
}

export interface RelationShape {
  readonly name: string;
  readonly type: string;
  readonly from: string | readonly string[];
  readonly entity: string;
  readonly through?: unknown;
}

export type Row = Readonly<Record<string, unknown>>;

/** The rows, or the status and text of another answer. */
export type RowsOrError = readonly Row[] | string;

export async function rowsOf(
  program: Program,
  query: string,
  data?: unknown,
): Promise<RowsOrError> {
  const answer = await post(program, '/execute', { query, data });
  return answer.status === 200
    ? (answer.json() as readonly Row[])
    : `${answer.status} ${answer.text}`;
}
