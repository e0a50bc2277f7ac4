/** Runs a plan on PostgreSQL: prepares and executes each statement, and attaches the included rows. */
import type pg from 'pg';
import {
  collectByteKeys,
  demultiplexChildren,
  type FetchedBytes,
  type Fields,
  type ParameterValues,
  type StatementPlan,
  parameterizeStatement,
} from '../../../src/engine/index.js';
import { decode, rowBytes, rowTexts } from '../byte-rows.js';
import type { GoldenPlan } from './plans.js';

/** The answer of a plan. */
export async function runPlan(
  client: pg.ClientBase,
  { plan, values }: GoldenPlan,
): Promise<unknown> {
  const fetched = await fetchRows(client, plan.root, values, []);
  return JSON.parse(`[${rowTexts(plan.root, fetched).join(',')}]`);
}

async function fetchRows(
  client: pg.ClientBase,
  statement: StatementPlan,
  values: ParameterValues,
  parentKeys: readonly string[],
): Promise<FetchedBytes> {
  const texts = parameterizeStatement(statement, values, parentKeys).parameters;
  const rows = rowBytes(await execute(client, statement.text, texts));
  const includes = [];
  for (const include of statement.includes) {
    const keys = collectByteKeys(include, rows, decode);
    const children = await fetchRows(client, include.statement, values, keys);
    includes.push(demultiplexChildren(include, rows, children, { decode }));
  }
  return { rows, includes };
}

let statements = 0;

/** The rows, with their fields as the server sent them. */
async function execute(
  client: pg.ClientBase,
  text: string,
  parameters: readonly (string | null)[],
): Promise<Fields[]> {
  statements += 1;
  const name = `golden_${statements}`;
  const types = { getTypeParser: () => (field: string) => field };
  const query = { name, text, values: [...parameters], rowMode: 'array', types } as const;
  return (await client.query<(string | null)[]>(query)).rows;
}
