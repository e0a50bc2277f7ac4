/** Equal addresses are stored and compared alike, however they are written. */
import { beforeAll, expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Hosts',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'net', type: 'inet' },
      { name: 'nets', type: 'inet[]' },
    ],
    constraints: [{ message: 'No host is ::', condition: 'net!="0::0"' }],
  },
];

const written = [
  ['FE80::0001', 'fe80::1'],
  ['10.0.0.1/32', '10.0.0.1'],
  ['10/8', '10.0.0.0/8'],
  ['0:0:0:0:0:FFFF:0102:0304', '::ffff:1.2.3.4'],
  ['::2:0', '::0.2.0.0'],
  ['1:0:0:4:5:0:0:8/128', '1::4:5:0:0:8'],
  ['1:0:0:4:0:0:0:0/64', '1:0:0:4::/64'],
  ['1:0:3:4:5:6:7:8', '1:0:3:4:5:6:7:8'],
] as const;

describeDomain('addresses', entities, (stage) => {
  beforeAll(async () => {
    const rows = written.map(([net], id) => ({ id, net, nets: [net] }));
    await stage().ask('Hosts.bulkInsert()', rows);
  });

  test('are answered in one form', async () => {
    const rows = await stage().ask('Hosts.sort(p=>p.id)');
    expect(rows).toEqual(written.map(([, net], id) => ({ id, net, nets: [net] })));
  });

  test.each(written.map((each, id) => [...each, id] as const))(
    '%s equals %s',
    async (given, canonical, id) => {
      for (const text of [given, canonical, canonical.toUpperCase()]) {
        for (const condition of [
          `p.net=="${text}"`,
          'p.net==x',
          'in(p.net,[x])',
          `in(p.net,["${text}"])`,
          `p.nets.includes("${text}")`,
        ]) {
          const query = `Hosts.filter(p=>${condition}).map(p=>p.id)`;
          expect(await stage().ask(query, { x: text })).toEqual([{ id }]);
        }
      }
    },
  );

  test('are compared in constraints', async () => {
    expect(await stage().problem('Hosts.insert()', { id: 99, net: '::0' })).toMatchObject({
      code: 'constraint-unmet',
    });
  });
});
