/** Values of type json that Rowgate computes are JSON, not strings of JSON. */
import { expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Pages',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'content', type: 'json' },
      { name: 'written', type: 'json', writeValue: 'nvl(written, content)' },
      { name: 'read', type: 'json', readValue: 'nvl(read, content)' },
      { name: 'label', type: 'json', readValue: '"a" + id' },
    ],
  },
];

const documents = [{ x: 1, y: ['"', null] }, [1, 'a'], 'text', 5, true];

describeDomain('a computed json value', entities, (stage) => {
  test.each(documents.map((document, index) => ({ document, id: index + 1 })))(
    'of $document',
    async ({ document, id }) => {
      const insert = 'Pages.insert({id: id, content: a ?? b, written: written, read: a})';
      await stage().ask(insert, { id, a: null, b: document, written: document });
      const expected = { content: document, written: document, read: document, label: `a${id}` };
      const query = `Pages.filter(p=>p.id==${id}).map(p=>({content: p.content, written: p.written, read: p.read, label: p.label}))`;
      expect(await stage().ask(query)).toEqual([expected]);
    },
  );

  test.each(['id > 0 ? b : a', 'nvl2(a, a, b)', 'nvl(a, b)'])('of %s', async (expression) => {
    await stage().ask('Pages.deleteAll()');
    const insert = `Pages.insert({id: id, content: ${expression}})`;
    expect(await stage().ask(insert, { id: 1, a: null, b: { x: [1] } })).toMatchObject({
      content: { x: [1] },
    });
  });

  test('is assigned to rows of a filter', async () => {
    await stage().ask('Pages.insert()', { id: 10, content: 1 });
    const update = 'Pages.update({content: nvl(a, b)}).filter(p=>p.id==10)';
    expect(await stage().ask(update, { a: null, b: { x: 1 } })).toBe(1);
    const query = 'Pages.filter(p=>p.id==10).map(p=>({x: p.content.x}))';
    expect(await stage().ask(query)).toEqual([{ x: 1 }]);
  });
});
