/** Hostile texts in every place where a client's text can stand: none becomes SQL. */
import { Agent, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Program } from '../support/program.js';

/** What could end the text before it. */
const ends: readonly string[] = [
  ...["'", '"', '`', "\\'", '\\"', "')", '")', '`)', "'))", "x'", '$$', '*/', ']', '}', '\n'],
  ...["\u0000'", '\u02bc', '\uff07', "\u00bf'", '%27', "E'\\x27'", '$1', '?', ':x', ''],
];

/** What could follow as SQL. All name `canary`, which no statement of Rowgate does. */
const attacks: readonly string[] = [
  '; DROP TABLE canary; --',
  '; DROP TABLE canary; #',
  '; INSERT INTO canary VALUES (1); -- ',
  '; SELECT pg_sleep(9) AS canary; --',
  ` OR 'canary'='canary`,
  ` OR "canary"="canary`,
  ' UNION SELECT id FROM canary -- ',
  ' || (SELECT max(id) FROM canary) || ',
  ' AND SLEEP(9) /* canary */',
  ', (SELECT 1 FROM canary)',
  ' RETURNING (SELECT 1 FROM canary)',
  " INTO OUTFILE '/tmp/canary'",
];

const payloads = ends.flatMap((end) => attacks.map((attack) => end + attack));

const json = (text: string) => JSON.stringify(text);
const execute = (query: string, data?: unknown, options?: unknown) => ({
  path: '/execute',
  body: { query, data, options },
});

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

interface Request {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A place in a request, the request with a text there, and whether it is a condition that no row meets. */
type Place = readonly [name: string, make: (text: string) => Request, finds?: 'nothing'];

const places: readonly Place[] = [
  ['a literal', (text) => execute(`Shippers.filter(p=>p.name==${json(text)})`), 'nothing'],
  [
    'a literal of LIKE',
    (text) => execute(`Shippers.filter(p=>p.name.like(${json(text)}))`),
    'nothing',
  ],
  ['a list', (text) => execute(`Shippers.filter(p=>in(p.name,[${json(text)}]))`), 'nothing'],
  ['a function', (text) => execute(`Shippers.map(p=>({x:replace(p.name,${json(text)},"")}))`)],
  [
    'a template',
    (text) => execute(`Shippers.filter(p=>p.name==\`${text.replaceAll('`', '')}\`)`),
    'nothing',
  ],
  ['a key of map', (text) => execute(`Shippers.map(p=>({${json(text)}:p.name}))`)],
  ['a key of groups', (text) => execute(`Shippers.map(p=>({${json(text)}:count(1)}))`)],
  ['a part of JSON', (text) => execute(`Shippers.sort(p=>p[${json(text)}])`)],
  ['an entity', (text) => execute(`Shippers${text}.count()`)],
  ['a property', (text) => execute(`Shippers.map(p=>p.name${text})`)],
  ['a relation', (text) => execute(`Orders.include(p=>p.details${text})`)],
  ['a parameter', (text) => execute('Shippers.filter(p=>p.name==name)', { name: text }), 'nothing'],
  [
    'parameters',
    (text) => execute('Shippers.filter(p=>in(p.name,names))', { names: [text] }),
    'nothing',
  ],
  ['the name of a parameter', (text) => execute(`Shippers.filter(p=>p.name==${text})`, { x: 1 })],
  ['a number', (text) => execute('Shippers.filter(p=>p.id==id)', { id: text })],
  ['a date', (text) => execute('Orders.filter(p=>p.orderDate>at).count()', { at: text })],
  ['a page', (text) => execute('Shippers.page(n,1)', { n: text })],
  ['a member of data', (text) => execute('Shippers.filter(p=>p.id==-1).update()', { [text]: 1 })],
  [
    'a stored value',
    (text) => execute('Shippers.filter(p=>p.id==-1).update()', { name: text }),
    'nothing',
  ],
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
  [
    'the trace, which becomes a comment of the statement',
    (text) => ({
      ...execute('Shippers.filter(p=>p.id==1)'),
      headers: { traceparent: TRACE + text.replaceAll(/[^\x20-\x7e]/g, '') },
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

/** A program, and what its database has executed. */
export interface Target {
  readonly program: Program;
  /** The texts of the statements since the last call, without the values of parameters. */
  statements(): Promise<readonly string[]>;
  /** Rejects if the table `canary` is gone. */
  canaries(): Promise<readonly unknown[]>;
  /** The rows of `Shippers`. */
  shippers(): Promise<unknown>;
  stop(): Promise<void>;
}

const AT_ONCE = 12;
/** Answers of queries whose conditions hold for no row. */
const NOTHING = /^(?:\[\]|0)$/;

/** The suite over the database that `start` makes. */
export function describeInjection(start: () => Promise<Target>): void {
  let target: Target;
  let shippers: unknown;
  const answered = new Map<number, number>();
  const seen = new Set<string>();

  beforeAll(async () => {
    target = await start();
    shippers = await target.shippers();
  });
  afterAll(() => target.stop());

  const attack = async (sent: Request, isCondition: boolean, agent: Agent): Promise<void> => {
    const { path, body } = sent;
    const { status, text } = await send(target.program, sent, agent);
    expect([path, body, status < 500]).toEqual([path, body, true]);
    if (isCondition && status === 200)
      expect([body, text]).toEqual([body, expect.stringMatching(NOTHING)]);
    answered.set(status, (answered.get(status) ?? 0) + 1);
  };

  const named = places.map(([name, make, finds]) => ({ name, make, finds }));
  it.each(named)(`in the place of $name, 300 strings remain data`, async ({ make, finds }) => {
    expect(new Set(payloads).size).toBe(300);
    await target.statements();
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    for (let from = 0; from < payloads.length; from += AT_ONCE) {
      const some = payloads.slice(from, from + AT_ONCE);
      await Promise.all(some.map((text) => attack(make(text), finds === 'nothing', agent)));
    }
    const statements = await target.statements();
    expect(statements.filter((each) => /canary/i.test(each))).toEqual([]);
    expect(await target.canaries()).toEqual([]);
    expect(await target.shippers()).toEqual(shippers);
    for (const each of statements) seen.add(each);
  });

  it('many of them were executed', () => {
    expect(answered.get(200)).toBeGreaterThan(payloads.length * 5);
    expect(answered.get(400)).toBeGreaterThan(payloads.length * 5);
    expect([...seen].filter((each) => /Shippers/i.test(each)).length).toBeGreaterThan(5);
  });
}

/** Sends a request on a kept connection. There are many of them, and `fetch` takes much more processor time. */
function send(
  { base }: Program,
  { path, body, headers }: Request,
  agent: Agent,
): Promise<{ readonly status: number; readonly text: string }> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const method = body === undefined ? 'GET' : 'POST';
  return new Promise((resolve, reject) => {
    const options = { method, headers: { ...type, ...headers }, agent };
    const sending = request(base + path, options, (message) => {
      const { statusCode: status = 0 } = message;
      textOf(message).then((text) => resolve({ status, text }), reject);
    });
    sending.on('error', reject);
    sending.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
