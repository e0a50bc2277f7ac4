/** Checks the SQL of the functions in both dialects. `vitest -u` updates golden.json. */
import { expect, test } from 'vitest';
import { functionTable } from '../../../src/engine/query/functions/table.js';
import type { DialectName } from '../../../src/engine/schema/model.js';
import { compile } from './compile-call.js';
import { goldenCalls } from './golden-calls.js';

test('each call has the recorded SQL', async () => {
  const golden = goldenCalls.map((call) => ({
    call,
    sql: { postgresql: sqlOf(call, 'PostgreSQL'), mysql: sqlOf(call, 'MySQL') },
    arguments: compile(queryOf(call)).root.arguments.map((each) => JSON.stringify(each)),
  }));
  await expect(`${JSON.stringify(golden, null, 2)}\n`).toMatchFileSnapshot('golden.json');
});

test('each function is called', () => {
  const missing = functionTable.filter(
    ({ name, aliases = [] }) =>
      ![name, ...aliases].some((each) => goldenCalls.some((call) => call.includes(`${each}(`))),
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test('each placeholder of MySQL has one argument, even if a template repeats it', () => {
  for (const call of goldenCalls) {
    const { text, arguments: given } = compile(queryOf(call), 'MySQL').root;
    expect(text.split('?')).toHaveLength(given.length + 1);
  }
});

function queryOf(call: string): string {
  return `Orders.details.map(p=>({r: ${call}}))`;
}

/** The SQL of the expression alone. */
function sqlOf(call: string, dialect: DialectName): string {
  const { text } = compile(queryOf(call), dialect).root;
  return text.slice('SELECT '.length, text.search(/ AS ["`]r["`]/));
}
