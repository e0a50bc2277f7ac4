/** A view of the fixed domain, and cases under it. */
import type { View } from '../world/view.js';
import type { FixedCase } from './cases.js';

/** Its expressions read what it hides: the first row of `A`, and properties of it. It hides the pair `2, x`, too. */
export const fixedView: View = {
  name: 'narrow',
  entities: [
    {
      name: 'A',
      readExp: 'p=>p.id > 1',
      properties: [
        { name: 's', readExp: 'p=>p.parent.s' },
        { name: 'b', readExp: 'p=>p.parent.parent.b ?? p.b' },
        { name: 'extra', exclude: true },
      ],
    },
    { name: 'One', properties: [{ name: 'order', readExp: 'p=>p.a.kids.max(q=>q.s)' }] },
    { name: 'Made', properties: [{ name: 'secret', exclude: true }] },
    { name: 'A.pair', readExp: 'p=>p.part < 2', properties: [] },
    {
      name: 'Weak',
      properties: [{ name: 't', readExp: 'p=>(p.id == 2 ? "b" : p.a.s)' }],
    },
    {
      name: 'Links',
      readExp: 'p=>in(7, p.of.sizes)',
      properties: [{ name: 'token', readExp: 'p=>p.of.token' }],
    },
  ],
};

export const viewCases: readonly FixedCase[] = [
  {
    query: 'A.map(p=>({s: p.s, i: p.parent.i})).sort(p=>p.i)',
    answer: '[{"s":"Ab","i":null},{"s":"Ab","i":null}]',
  },
  {
    query: 'A.map(p=>({i: p.parent.i, s: p.s})).sort(p=>p.i)',
    answer: '[{"i":null,"s":"Ab"},{"i":null,"s":"Ab"}]',
  },
  {
    query: 'Links.sort(p=>p.id)',
    answer: '[{"id":1,"kindId":1,"token":"123e4567-e89b-42d3-a456-426614174000"}]',
  },
  // Groups by a property that the view reads through a relation.
  {
    query: 'One.sort(p=>p.order.desc()).map(p=>({k: p.order, n: count()}))',
    answer: '[{"k":"a%b","n":1}]',
  },
  {
    query: 'A.sort(p=>p.one.order).map(p=>({k: p.one.order, n: count()}))',
    answer: '[{"k":null,"n":2}]',
  },
  {
    query: 'One.map(p=>({k: p.order, n: count()})).having(p=>p.order == "a%b")',
    answer: '[{"k":"a%b","n":1}]',
  },
  // The name is the same, but not the row.
  { query: 'Links.insert()', data: '{"kindId": 1}', answer: 'unsupported' },
  // A weak relation may lead to no row.
  { query: 'Weak.update()', data: '{"id": 2, "aId": 1}', answer: '1' },
  { query: 'Weak.update()', data: '{"id": 2, "aId": 98}', answer: '1' },
  // A part of a key completes the reference to a hidden pair, and to one that does not exist.
  { query: 'Marks.update()', data: '{"id": 2, "kind": "x"}', answer: 'foreign-key-violation' },
  { query: 'Marks.update()', data: '{"id": 2, "kind": "z"}', answer: 'foreign-key-violation' },
  { query: 'Marks.upsert()', data: '{"id": 2, "kind": "x"}', answer: 'foreign-key-violation' },
  {
    query: 'Marks.filter(p=>p.id==2).update(p=>({kind: "x"}))',
    answer: 'foreign-key-violation',
  },
  { query: 'Marks.update()', data: '{"id": 3, "note": "same"}', answer: '1' },
  // The primary key refers to a hidden row, but an update only finds the row by it.
  { query: 'A.pair.update()', data: '{"part": 1, "kind": "x", "n": 3}', answer: '1' },
  { query: 'A.pair.update({n: n})', data: '{"part": 1, "kind": "x", "n": 3}', answer: '1' },
  {
    query: 'A.pair.upsert()',
    data: '{"part": 1, "kind": "x", "n": 3}',
    answer: 'foreign-key-violation',
  },
  // What a hidden property is computed from, or what is computed from it.
  { query: 'Made.insert()', data: '{"title": "much too long"}', answer: 'constraint-unmet' },
  { query: 'Made.insert()', data: '{"title": null}', answer: 'constraint-unmet' },
  { query: 'Made.upsert()', data: '{"id": 9, "title": null}', answer: 'constraint-unmet' },
  { query: 'Made.update()', data: '{"id": 1, "label": "x"}', answer: 'parameter-missing' },
  { query: 'Made.updateAll({label: "x"})', answer: 'parameter-missing' },
  { query: 'Made.bulkUpsert()', data: '[{"id": 1, "label": "x"}]', answer: 'parameter-missing' },
  // Without a key, MariaDB could not read the row again: this must not depend on the rows that exist.
  ...['{"aId": 1}', '{"aId": 98}'].map((data) => {
    const codes = { answer: 'foreign-key-violation', onMariadb: 'unsupported' };
    return { query: 'Bare.insert()', data, ...codes };
  }),
  { query: 'A.map(p=>[p.s, p.parent.extra])', answer: 'unknown-property' },
  { query: 'A.filter(p=>p.s == "Ab" && p.parent.i == 7).count()', answer: '[{"count":0}]' },
  {
    query: 'Weak.map(p=>({t: p.t, s: p.a.i})).sort(p=>desc(p.t))',
    answer: '[{"t":"b","s":null},{"t":"Ab","s":null}]',
  },
];
