/** Runs a plan on PostgreSQL: each sentence prepared and executed, the rows stitched. */
import type pg from 'pg';
import {
  collectByteKeys,
  dealChildren,
  type FetchedBytes,
  type Fields,
  type ParameterValues,
  type Sentence,
  sentenceArguments,
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
  sentence: Sentence,
  values: ParameterValues,
  parentKeys: readonly string[],
): Promise<FetchedBytes> {
  const texts = sentenceArguments(sentence, values, parentKeys);
  const rows = rowBytes(await execute(client, sentence.text, texts));
  const inclusions = [];
  for (const inclusion of sentence.inclusions) {
    const keys = collectByteKeys(inclusion, rows, decode);
    const children = await fetchRows(client, inclusion.sentence, values, keys);
    inclusions.push(dealChildren(inclusion, rows, children, decode));
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
