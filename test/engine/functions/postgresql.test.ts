/** Runs every function on PostgreSQL: the examples of the function table, and the cases. */
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { functionTable } from '../../../src/engine/query/functions/table.js';
import { parameterizeStatement } from '../../../src/engine/input/arguments.js';
import { rowText } from '../byte-rows.js';
import { cases } from './cases/all.js';
import { compileFor, queryOf } from './compile-call.js';
import { startTestDatabase, type TestDatabase } from './database.js';
import { type FunctionCase, instant } from './function-case.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await startTestDatabase();
});

afterAll(() => database.stop());

describe('an example in the table', () => {
  test.each(functionTable.map(({ example }) => example))('%s is %s', async (call, gives) => {
    expect(await answer({ call, gives })).toBe(`{"r":${gives}}`);
  });
});

for (const [group, ofGroup] of Object.entries(cases)) {
  describe(`the ${group} functions`, () => {
    test.each(ofGroup)('$call with $data of row $id returns $gives', async (each) => {
      expect(await answer(each)).toBe(`{"r":${each.gives}}`);
    });
  });
}

/** The JSON of the row that PostgreSQL returns. */
async function answer({ call, orders, id = 1, data = {} }: FunctionCase): Promise<string> {
  const query = queryOf(call, orders ? 'Orders' : 'Products', id);
  const { plan, values: read } = compileFor(query, { data, instant });
  const values = parameterizeStatement(plan.root, read, []).parameters;
  const { rows } = await database.client.query<(string | null)[]>({
    text: plan.root.text,
    values: [...values],
    rowMode: 'array',
    types: asTexts,
  });
  const [row] = rows;
  return row ? rowText(plan.root, row) : 'no row';
}

/** Leaves values as the server writes them. */
const asTexts: pg.CustomTypesConfig = { getTypeParser: () => String };
