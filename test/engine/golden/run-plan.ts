/** Runs a plan on PostgreSQL: each sentence prepared and executed, the rows stitched. */
import type pg from 'pg';
import {
  collectKeys,
  createWriter,
  type FetchedRows,
  type Fields,
  groupChildren,
  type ParameterValues,
  type Sentence,
  sentenceArguments,
  writeRow,
} from '../../../src/engine/index.js';
import type { GoldenPlan } from './plans.js';

/** The answer of a plan. */
export async function runPlan(
  client: pg.ClientBase,
  { plan, values }: GoldenPlan,
): Promise<unknown> {
  const fetched = await fetchRows(client, plan.root, values, []);
  const writer = createWriter(plan.root, { pretty: false });
  const rows = fetched.rows.map((_, index) => writeRow(writer, fetched, index));
  return JSON.parse(`[${rows.join(',')}]`);
}

async function fetchRows(
  client: pg.ClientBase,
  sentence: Sentence,
  values: ParameterValues,
  parentKeys: readonly string[],
): Promise<FetchedRows> {
  const rows = await execute(
    client,
    sentence.text,
    sentenceArguments(sentence, values, parentKeys),
  );
  const inclusions = [];
  for (const inclusion of sentence.inclusions) {
    const keys = collectKeys(inclusion, rows);
    const children = await fetchRows(client, inclusion.sentence, values, keys);
    inclusions.push(groupChildren(inclusion, children));
  }
  return { rows, inclusions };
}

let statements = 0;

/** The rows with their fields as the server sent them. */
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
