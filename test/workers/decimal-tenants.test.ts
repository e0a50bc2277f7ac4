/** Relations that share a decimal column, whose value has several texts. */
import { beforeEach, expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const tenant = { name: 'tenant', type: 'decimal', required: true };
const id = { name: 'id', type: 'integer', required: true };

const entities = [
  {
    name: 'Lines',
    primaryKey: ['tenant', 'id'],
    properties: [tenant, id, { name: 'label' }, { name: 'agentId', type: 'integer' }],
    relations: [
      { name: 'owner', from: 'tenant', entity: 'Tenants', to: 'code' },
      { name: 'agent', from: ['tenant', 'agentId'], entity: 'Agents', to: ['tenant', 'id'] },
    ],
  },
  {
    name: 'Tenants',
    primaryKey: ['code'],
    properties: [{ name: 'code', type: 'decimal', required: true }, { name: 'name' }],
  },
  {
    name: 'Agents',
    primaryKey: ['tenant', 'id'],
    properties: [tenant, id, { name: 'name' }],
  },
];

describeDomain('decimal keys that relations share', entities, (stage) => {
  beforeEach(async () => {
    for (const entity of ['Lines', 'Agents', 'Tenants']) await stage().ask(`${entity}.deleteAll()`);
    await stage().ask('Tenants.insert()', { code: 7, name: 'a' });
    await stage().ask('Agents.insert()', { tenant: 7, id: 1, name: 'a' });
    await stage().ask('Lines.insert()', { tenant: 7, id: 1, label: 'a', agentId: 1 });
  });

  test('an update finds the row of the same value', async () => {
    const line = { tenant: '7', id: 1, label: 'b', owner: { code: '7.00', name: 'b' } };
    await stage().ask('Lines.update().include(p=>p.owner)', line);
    const query = 'Lines.map(p=>({label: p.label, name: p.owner.name}))';
    expect(await stage().ask(query)).toEqual([{ label: 'b', name: 'b' }]);
  });

  test('relations agree on the same value, and not on another', async () => {
    const query = 'Lines.insert().include(p=>[p.owner, p.agent])';
    const line = (code: string) => ({
      id: 2,
      owner: { code: '8.0', name: 'c' },
      agent: { tenant: code, id: 2, name: 'c' },
    });
    expect(await stage().problem(query, line('9'))).toMatchObject({ code: 'constraint-unmet' });
    expect(await stage().problem(query, line('8.000'))).toBeUndefined();
  });
});
