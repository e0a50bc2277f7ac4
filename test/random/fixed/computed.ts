/** Cases of values that a write computes. */
import type { FixedCase } from './cases.js';

export const computedCases: readonly FixedCase[] = [
  // Rowgate computes the total from the new part, which only the database knows.
  {
    query: 'Made.filter(p=>p.id==1).update(p=>({total: 5, part: p.part + 1}))',
    answer: 'unsupported',
  },
  {
    query: 'Made.filter(p=>p.id==1).update({total: 5, part: tan(x)})',
    data: '{"x": 0}',
    answer: 'unsupported',
  },
  {
    query: 'Made.filter(p=>p.id==1).update({total: 5, part: x - 1})',
    data: '{"x": 3}',
    answer: '1',
    afterwards: ['Made.map(p=>p.total)', '[{"total":7}]'],
  },
  {
    query: 'Kinds.update(p=>({long: 0 - 9223372036854775807 - 1})).filter(p=>p.id==3)',
    answer: '1',
    afterwards: ['Kinds.filter(p=>p.id==3).map(p=>({x: p.id - 3 - p.long}))', 'value-out-of-range'],
  },
  { query: 'Made.updateAll({total: 5})', answer: 'parameter-missing' },
  {
    query: 'Made.upsert()',
    data: '{"id": 1, "total": 5, "part": "x"}',
    answer: 'parameter-type',
  },
  // The initial of a new row would be null, so the row must exist.
  {
    query: 'Made.upsert()',
    data: '{"id": 1, "part": null, "title": "d"}',
    answer: '{"id":1,"total":3,"part":null,"title":"d","label":null,"secret":"b","initial":"c"}',
  },
  {
    query: 'Made.bulkUpsert()',
    data: '[{"id": 9, "part": null, "title": "d"}]',
    answer: 'constraint-unmet',
  },
  // A constraint on the key of the parent.
  {
    query: 'A.insert().include(p=>p.weaks)',
    data: '{"id": 7, "weaks": [{"t": "x"}]}',
    answer: 'constraint-unmet',
  },
  {
    query: 'A.upsert().include(p=>p.weaks)',
    data: '{"id": 7, "weaks": [{"id": 1, "t": "x"}]}',
    answer: 'constraint-unmet',
  },
  { query: 'Made.update()', data: '{"id": 1, "total": 5}', answer: 'parameter-missing' },
];
