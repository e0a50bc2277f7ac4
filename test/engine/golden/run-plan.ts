/** Runs a plan on PostgreSQL: each sentence prepared and executed, the rows stitched. */
import type pg from 'pg';
import {
  collectByteKeys,
  demultiplexChildren,
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
  const includes = [];
  for (const include of sentence.includes) {
    const keys = collectByteKeys(include, rows, decode);
    const children = await fetchRows(client, include.sentence, values, keys);
    includes.push(demultiplexChildren(include, rows, children, decode));
  }
  return { rows, includes };
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
