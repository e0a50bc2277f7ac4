/** Hostile texts in every place where a client's text can stand: none becomes SQL. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, ask, post } from '../support/program.js';
import type { ViewsFixture } from '../views/views-fixture.js';

/** If one of them became SQL, it would drop the table `canary`, or return an additional row. */
const payloads: readonly string[] = [
  `'; DROP TABLE canary; --`,
  `"; DROP TABLE canary; --`,
  '`; DROP TABLE canary; -- ',
  `\\'; DROP TABLE canary; #`,
  `\\"; DROP TABLE canary; #`,
  `' OR '1'='1`,
  `" OR "1"="1`,
  `x') OR ('a'='a`,
  `x" FROM canary; DROP TABLE canary; --`,
  `x\` FROM canary; DROP TABLE canary; -- `,
  `$1; DROP TABLE canary; --`,
  `?; DROP TABLE canary; --`,
  `$$; DROP TABLE canary; $$`,
  `E'\\x27; DROP TABLE canary; --'`,
  `/* */; DROP TABLE canary; /*`,
  `\n; DROP TABLE canary; \r\n--`,
  `\u0000'; DROP TABLE canary; --`,
  `\u02bc; DROP TABLE canary; --`,
  `\uff07; DROP TABLE canary; --`,
  `\u00bf'; DROP TABLE canary; --`,
  `%27; DROP TABLE canary; --`,
  `UNION SELECT 1 FROM canary`,
  `canary"`,
  `:x; DROP TABLE canary`,
];

const json = (text: string) => JSON.stringify(text);
const execute = (query: string, data?: unknown, options?: unknown) => ({
  path: '/execute',
  body: { query, data, options },
});

interface Request {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A place in a request, and a function that puts a text there. */
const places: readonly (readonly [name: string, make: (text: string) => Request])[] = [
  ['a literal', (text) => execute(`Shippers.filter(p=>p.name==${json(text)})`)],
  ['a literal of LIKE', (text) => execute(`Shippers.filter(p=>p.name.like(${json(text)}))`)],
  ['a list', (text) => execute(`Shippers.filter(p=>in(p.name,[${json(text)}]))`)],
  ['a function', (text) => execute(`Shippers.map(p=>({x:replace(p.name,${json(text)},"")}))`)],
  ['a template', (text) => execute(`Shippers.filter(p=>p.name==\`${text.replaceAll('`', '')}\`)`)],
  ['a key of map', (text) => execute(`Shippers.map(p=>({${json(text)}:p.name}))`)],
  ['a key of groups', (text) => execute(`Shippers.map(p=>({${json(text)}:count(1)}))`)],
  ['a part of JSON', (text) => execute(`Shippers.sort(p=>p[${json(text)}])`)],
  ['an entity', (text) => execute(`Shippers${text}.count()`)],
  ['a property', (text) => execute(`Shippers.map(p=>p.name${text})`)],
  ['a relation', (text) => execute(`Orders.include(p=>p.details${text})`)],
  ['a parameter', (text) => execute('Shippers.filter(p=>p.name==name)', { name: text })],
  ['parameters', (text) => execute('Shippers.filter(p=>in(p.name,names))', { names: [text] })],
  ['the name of a parameter', (text) => execute(`Shippers.filter(p=>p.name==${text})`, { x: 1 })],
  ['a number', (text) => execute('Shippers.filter(p=>p.id==id)', { id: text })],
  ['a date', (text) => execute('Orders.filter(p=>p.orderDate>at).count()', { at: text })],
  ['a page', (text) => execute('Shippers.page(n,1)', { n: text })],
  ['a member of data', (text) => execute('Shippers.filter(p=>p.id==-1).update()', { [text]: 1 })],
  ['a stored value', (text) => execute('Shippers.filter(p=>p.id==-1).update()', { name: text })],
  ['the stage', (text) => execute('Shippers', undefined, { stage: text })],
  ['the view', (text) => execute('Shippers', undefined, { view: text })],
  ['an option', (text) => execute('Shippers', undefined, { [text]: 1 })],
  [
    'a reference',
    (text) => ({
      path: '/transaction',
      body: [
        { query: 'Shippers.first()' },
        { query: 'Shippers.filter(p=>p.name==name)', data: { name: { $ref: `0.${text}` } } },
      ],
    }),
  ],
  [
    'an idempotency key',
    (text) => ({
      ...execute('Shippers.filter(p=>p.id==-1).update({name:name})', { name: 'x' }),
      headers: { 'idempotency-key': text.replaceAll(/[^\x21-\x7e]/g, '') },
    }),
  ],
  ['the view of the URL', (text) => ({ path: `/entities?view=${encodeURIComponent(text)}` })],
  ['a name of the URL', (text) => ({ path: `/entities/${encodeURIComponent(text)}` })],
  [
    'an entity of an import',
    (text) => ({
      path: '/stages/default/import',
      body: { entities: [{ entity: text, rows: [] }] },
    }),
  ],
  [
    'a member of an import',
    (text) => ({
      path: '/stages/default/import?strict=true',
      body: { entities: [{ entity: 'Shippers', rows: [{ [text]: 1 }] }] },
    }),
  ],
];

/** The suite over the database that `start` makes. */
export function describeInjection(start: () => Promise<ViewsFixture>): void {
  let fixture: ViewsFixture;
  let shippers: unknown;

  beforeAll(async () => {
    fixture = await start();
    await fixture.sql('CREATE TABLE canary (id int)');
    shippers = await fixture.digest('Shippers', '1 = 1');
  });
  afterAll(() => fixture.stop());

  describe.each(places)('in place of %s', (_, make) => {
    it.each(payloads)('%j stays a text', async (text) => {
      const { path, body, headers } = make(text);
      const send = (to: string): Promise<Answer> =>
        body === undefined ? ask(fixture.whole, to) : post(fixture.whole, to, body, headers);
      const answer = await send(path);
      expect(answer.status).toBeLessThan(500);
      if (path === '/execute') {
        const plan = await send('/plan');
        // The text as it would be in the JSON of the plan.
        if (plan.status === 200) expect(plan.text).not.toContain(json(text).slice(1, -1));
      }
      // Rejects if the table is gone.
      expect(await fixture.sql('SELECT id FROM canary')).toEqual([]);
      expect(await fixture.digest('Shippers', '1 = 1')).toEqual(shippers);
    });
  });
}
