/** Queries that differ only by literals get the answers that each of them gets from a plan of its own. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { post, type Program } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';
import { statsOf } from './statistics.js';

let sample: SampleServer;
let sharing: Program;
let separate: Program;

beforeAll(async () => {
  sample = await startSampleServer();
  // Many requests at once are not refused, however busy the machine is.
  sharing = await sample.start(['--share-plans-from', '2', '--expected-wait-ms', '0']);
  separate = await sample.start(['--share-plans-from', '0']);
});
afterAll(async () => {
  await sharing.stop();
  await separate.stop();
  await sample.stop();
});

const numbers = [1, 2, 3, 12, 100_000_000_000, 2.5, -7, 9_007_199_254_740_993n];

/** Queries, each with literals in places that can be shared and in others. */
const QUERIES = [
  ...numbers.map((id) => `Orders.filter(p=>p.id==${id}).map(p=>({id:p.id,to:p.customerId}))`),
  ...numbers.map((id) => `Orders.filter(p=>p.id!=${id} && p.id<=n).map(p=>p.id).sort(p=>p)`),
  ...numbers.map((price) => `Products.filter(p=>p.price>${price}).map(p=>({n:count(1)}))`),
  ...['A', 'Chai', "O'Neill", '%', '\\\\', '', 'ß'].map(
    (name) =>
      `Products.filter(p=>p.name>=${JSON.stringify(name)}).map(p=>p.name).sort(p=>p).take(3)`,
  ),
  ...['1997-01-01', '1997-01-01T10:00:00Z', '1997', '1997-13-01', 'x'].map(
    (date) => `Orders.filter(p=>p.orderDate<'${date}').map(p=>p.id).sort(p=>p).take(3)`,
  ),
  ...[1, 2, 3, 4].map(
    (id) =>
      `Orders.filter(p=>p.id<=${id} || p.customer.name=='${id}').include(p=>p.details.filter(d=>d.quantity>${id}))`,
  ),
  ...numbers.map((id) => `Orders.filter(p=>in(p.id,[${id},7,${id}])).map(p=>p.id).sort(p=>p)`),
  ...['Chai', "O'Neill", ''].map(
    (name) => `Products.filter(p=>in(p.name,["${name}","Tofu"])).map(p=>p.name).sort(p=>p)`,
  ),
  ...[1, 2, 3].map((id) => `Orders.filter(p=>p.id=='${id}').map(p=>p.id)`),
  ...[1, 2, 3].map((id) => `Orders.filter(p=>p.id==${id} && p.id==missing).map(p=>p.id)`),
];

test('one by one, and in a list', async () => {
  const body = (query: string) => ({ query, data: { n: 5 } });
  for (const query of [...QUERIES, ...QUERIES]) {
    const [shared, own] = await Promise.all(
      [sharing, separate].map((program) => post(program, '/execute', body(query))),
    );
    expect({ query, ...withoutId(shared) }).toEqual({ query, ...withoutId(own) });
  }
  const list = QUERIES.map(body);
  const [shared, own] = await Promise.all(
    [sharing, separate].map((program) => post(program, '/execute', list)),
  );
  expect(withoutId(shared)).toEqual(withoutId(own));
});

test('also if the data has members with the names of literals', async () => {
  const members = ['"$1":2', '"$1":"x"', '"n":5,"$1":2', String.raw`"\u00241":2`, '"$2":1'];
  for (const query of QUERIES.slice(0, 20)) {
    for (const member of members) {
      const body = `{"query":${JSON.stringify(query)},"data":{${member}}}`;
      const [shared, own] = await Promise.all(
        [sharing, separate].map((program) => post(program, '/execute', body)),
      );
      expect({ body, ...withoutId(shared) }).toEqual({ body, ...withoutId(own) });
    }
  }
});

test('many at once, with their data', async () => {
  const ids = Array.from({ length: 200 }, (_, index) => index % 50);
  const answers = await Promise.all(
    ids.map((id) => {
      const query = `Orders.filter(p=>p.id==id && p.id<${id + 1}).map(p=>p.id)`;
      return post(sharing, '/execute', { query, data: { id: id % 2 === 0 ? id : id + 1 } });
    }),
  );
  const expected = ids.map((id) => (id % 2 === 0 && id > 0 ? `[{"id":${id}}]` : '[]'));
  expect(answers.map(({ text }) => text)).toEqual(expected);
});

test('are counted as one query, and described as they were sent', async () => {
  for (const id of [1, 2, 3, 4]) {
    await post(sharing, '/execute', { query: `Categories.filter(p=>p.id==${id}).map(p=>p.id)` });
  }
  const { plans } = await statsOf(sharing);
  const counted = plans.filter(({ expression }) => expression.startsWith('Categories'));
  expect(Object.fromEntries(counted.map(({ expression, calls }) => [expression, calls]))).toEqual({
    'Categories.filter(p=>p.id==$1).map(p=>p.id)': 3,
    'Categories.filter(p=>p.id==1).map(p=>p.id)': 1,
  });
  const query = 'Categories.filter(p=>p.id==4).map(p=>p.id)';
  const described = await post(sharing, '/plan', { query });
  expect(described.text).toContain('= 4');
  const parameters = await post(sharing, '/parameters', { query });
  expect(parameters.text).toBe('[]');
});

function withoutId(answer: { readonly status: number; readonly text: string } | undefined) {
  const text = answer?.text.replaceAll(/"requestId":"[^"]*"/g, '"requestId":""');
  return { status: answer?.status, text };
}
