/** Whatever a body contains, it is answered with 200 or 4xx, and without delay. */
import { expect } from 'vitest';
import type { Random } from '../random/random.js';
import { describeServers } from '../support/http-servers.js';
import { describeDatabases, useGateway } from './gateways.js';
import { fuzz } from './inputs.js';
import { changeText, changeTree, nestedLists } from './mutate.js';

/** Valid requests: the path and the body. */
const requests = `
/execute {"query":"Points.filter(p=>p.id==id).map(p=>[p.name, p.size])","data":{"id":1}}
/execute {"query":"Points.filter(p=>p.id==id)","data":"{\\"id\\": 2}","options":{"stage":"default","view":"default"}}
/execute {"query":"Points.sort(p=>p.id).page(1, size)","data":{"size":3},"options":{"count":true}}
/execute {"query":"Points.filter(p=>in(p.id, ids))","data":{"ids":[1,2,3]}}
/execute {"query":"Points.map(p=>({a: x, b: p.size * y}))","data":{"x":{"y":[1,"z"]},"y":2}}
/execute [{"query":"Points.count()"},{"query":"Notes.insert()","data":{"mark":"x"}},{"query":"Points.filter(p=>p.id==id)","data":{"id":1}}]
/execute {"query":"Notes.insert()","data":{"mark":"x"}}
/execute {"query":"Notes.insert().include(p=>p.parts)","data":{"mark":"x","parts":[{"number":1},{"number":2}]}}
/execute {"query":"Notes.bulkInsert()","data":[{"mark":"x"},{"mark":"y"}]}
/execute {"query":"Notes.update({mark: m}).filter(p=>p.id==id)","data":{"m":"z","id":1}}
/execute {"query":"Notes.upsert()","data":{"id":7,"mark":"x"}}
/execute {"query":"Notes.delete()","data":{"id":7}}
/transaction [{"query":"Notes.insert()","data":{"mark":"x"}},{"query":"Parts.insert()","data":{"noteId":{"$ref":"0.id"},"number":1}}]
/transaction {"steps":[{"query":"Notes.insert()","data":{"mark":"x"}}],"options":{"isolation":"serializable","readOnly":false,"view":"default"}}
/stages/default/import {"entities":[{"entity":"Notes","rows":[{"mark":"x","parts":[{"number":1}]}]},{"entity":"Parts","rows":[]}]}
/metadata {"query":"Points.map(p=>p.name)","options":{"stage":"default"}}
/model {"query":"Notes.include(p=>p.parts)","options":{"view":"default"}}
/parameters {"query":"Points.filter(p=>p.id==id)","data":{"id":1}}
/constraints {"query":"Notes.insert()","data":{}}
/plan {"query":"Points.filter(p=>p.id==id)","data":{"id":1}}
/explain {"query":"Points.filter(p=>p.id==id)","data":{"id":1}}`
  .trim()
  .split('\n')
  .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const);

const pieces = [
  ...'{}[]:,"\\-+.0eE/ \n\t\0\'ntf\u00ff',
  ...'"":|"a":1,|"data":|"query":|"options":{},|"mark":"y",|"__proto__":{"a":1},|{"$ref":"0.id"}'.split(
    '|',
  ),
  ...String.raw`\ud800|\udc00|\u0000|\u12|\x|NaN|Infinity|-0|0x1|01|1.|1e999|1e-400|null|true`.split(
    '|',
  ),
  // Bytes that are not UTF-8, and the mark of its byte order.
  ...'\u00c0\u0080|\u00ed\u00a0\u0080|\u00f4\u0090\u0080\u0080|\u00ef\u00bb\u00bf'.split('|'),
  ...['9'.repeat(400), '['.repeat(3000), '{"a":'.repeat(3000), '"x'.repeat(500)],
];

/** A change: parts of the text, nodes of the tree, or a deep value. */
function changeBody(random: Random, body: string): string {
  const toBytes = (text: string) => Buffer.from(text).toString('latin1');
  return random.weighted<() => string>([
    [40, () => changeText(random, toBytes(body), pieces)],
    [60, () => toBytes(JSON.stringify(changeTree(random, JSON.parse(body))) ?? '')],
    [2, () => body.replace(/(?<=:)"?[1x]\b"?/, () => nestedLists(random.below(50_000)))],
  ])();
}

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
        return { path, body: changeBody(random, body) };
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
