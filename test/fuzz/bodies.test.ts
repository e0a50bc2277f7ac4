/** Whatever a body contains, it is answered with 200 or 4xx, and without delay. */
import { expect } from 'vitest';
import { describeServers } from '../support/http-servers.js';
import { describeDatabases, useGateway } from './gateways.js';
import { fuzz } from './inputs.js';
import { changeText, changeTree } from './mutate.js';

const READ = { query: 'Points.filter(p=>p.id==id).map(p=>[p.name, p.size])', data: { id: 1 } };
const WRITE = { query: 'Notes.insert()', data: { mark: 'x' } };

/** Valid requests: a path and a body. */
const requests: readonly (readonly [path: string, body: unknown])[] = [
  ['/execute', READ],
  ['/execute', { ...READ, data: '{"id": 2}', options: { stage: 'default', view: 'default' } }],
  [
    '/execute',
    { query: 'Points.sort(p=>p.id).page(1, size)', data: { size: 3 }, options: { count: true } },
  ],
  ['/execute', { query: 'Points.filter(p=>in(p.id, ids))', data: { ids: [1, 2, 3] } }],
  [
    '/execute',
    { query: 'Points.map(p=>({a: x, b: p.size * y}))', data: { x: { y: [1, 'z'] }, y: 2 } },
  ],
  ['/execute', [READ, WRITE, { query: 'Points.count()' }]],
  ['/execute', WRITE],
  [
    '/execute',
    {
      query: 'Notes.insert().include(p=>p.parts)',
      data: { mark: 'x', parts: [{ number: 1 }, { number: 2 }] },
    },
  ],
  ['/execute', { query: 'Notes.bulkInsert()', data: [{ mark: 'x' }, { mark: 'y' }] }],
  ['/execute', { query: 'Notes.update({mark: m}).filter(p=>p.id==id)', data: { m: 'z', id: 1 } }],
  ['/execute', { query: 'Notes.upsert()', data: { id: 7, mark: 'x' } }],
  ['/execute', { query: 'Notes.delete()', data: { id: 7 } }],
  [
    '/transaction',
    [WRITE, { query: 'Parts.insert()', data: { noteId: { $ref: '0.id' }, number: 1 } }],
  ],
  [
    '/transaction',
    {
      steps: [READ, WRITE],
      options: { isolation: 'serializable', readOnly: false, view: 'default' },
    },
  ],
  [
    '/stages/default/import',
    {
      entities: [
        { entity: 'Notes', rows: [{ mark: 'x', parts: [{ number: 1 }] }] },
        { entity: 'Parts', rows: [] },
      ],
    },
  ],
  ...['/metadata', '/model', '/parameters', '/constraints', '/plan', '/explain'].map(
    (path) => [path, { ...READ, options: { stage: 'default' } }] as const,
  ),
];

const pieces = [
  ...'{}[]:,"\\-+.0eE/ \n\t\0\'ntf\u00ff'.split(''),
  ...[
    '"":',
    '"a":1,',
    '"data":',
    '"query":',
    '"options":{},',
    '"mark":"y",',
    '"__proto__":{"a":1},',
    '{"$ref":"0.id"}',
  ],
  ...[
    '\\ud800',
    '\\udc00',
    '\\u0000',
    '\\u12',
    '\\x',
    '\u00c0\u0080',
    '\u00ed\u00a0\u0080',
    '\u00ef\u00bb\u00bf',
    '\u00f4\u0090\u0080\u0080',
  ],
  ...[
    'NaN',
    'Infinity',
    '-',
    '1e999',
    '-0',
    '0x1',
    '01',
    '1.',
    '9'.repeat(400),
    '1e-400',
    'null',
    'true',
  ],
  ...[
    '['.repeat(3000),
    '{"a":'.repeat(3000),
    `${'['.repeat(60_000)}${']'.repeat(60_000)}`,
    '"x'.repeat(500),
  ],
];

interface Sent {
  readonly path: string;
  /** The bytes, as Latin-1 text. */
  readonly body: string;
}

describeDatabases('bodies', (database) => {
  describeServers('at %s', (server) => {
    const gateway = useGateway(database, server);

    fuzz<Sent>('changed bodies', {
      usual: 1500,
      atOnce: 8,
      make: (random) => {
        const [path, body] = random.pick(requests);
        const tree = random.chance(0.6) ? changeTree(random, body) : body;
        if (random.chance(0.02)) {
          const depth = random.below(30_000);
          const nested = '['.repeat(depth) + ']'.repeat(depth);
          return { path, body: JSON.stringify(body).replace(/"?\b[1x]\b"?/, nested) };
        }
        const text = Buffer.from(JSON.stringify(tree) ?? '').toString('latin1');
        return { path, body: tree === body ? changeText(random, text, pieces) : text };
      },
      check: async ({ path, body }) => {
        const { status, text } = await gateway.post(path, Buffer.from(body, 'latin1'));
        const isRefused = status >= 400 && status < 500;
        if (status !== 200 && !isRefused) throw new Error(`${status} ${text.slice(0, 500)}`);
        if (isRefused) expect(JSON.parse(text)).toMatchObject({ status, code: expect.any(String) });
      },
    });
  });
});
