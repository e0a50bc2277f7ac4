import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseQuery } from '../../../src/engine/language/parse-query.js';
import { printQuery } from '../../../src/engine/language/print.js';
import { limits } from './limits-for-tests.js';
import { thrownBy } from './thrown-by.js';

const queries = [
  'Orders.filter(p=>p.customerId==customerId).include(p=>p.details)',
  'Orders.filter(p=>p.id==0).include(p=>[p.details.include(q=>q.product),p.customer,p.employee])',
  'Products.filter(p=>p.price>10).map(p=>({name:p.name,category:p.category.name})).sort(p=>[p.category,p.name]).page(1,10)',
  'Products.filter(p=>!between(p.price,10,12) && p.name=="a\\"b" || p.id<>.5e-3).map(p=>p.id);',
  '()=>Categories.include(p=>p.products.sort(q=>desc(q.price)).first(q=>q.name))',
  'Products.map(p=>({r: p.price ?? 0 ** -2 // 3 % `x` /* c */ ? [1,2,] : null}))',
];

const pieces = [
  ...'()[]{}.,:;?!~+-*/%&|^<>="\'`\\$_a0 \n\0\u2028\ud800'.split(''),
  '=>',
  '**',
  '//',
  '/*',
  '*/',
  '??',
  '&&',
];

/** Parsing must return a query, or throw an engine error with a place in the text. */
function check(text: string): void {
  const error = thrownBy(() => printQuery(parseQuery(text, limits)));
  if (error === undefined) return;
  expect(error.message).not.toBe('');
  expect(error.position).toBeDefined();
  expect(error.span?.start).toBeLessThanOrEqual(text.length);
  expect(error.span?.end).toBeLessThanOrEqual(text.length);
}

describe('whatever is parsed, the result is a query or an error with a position', () => {
  test('random units', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), check), { numRuns: 3000 });
  });

  test('random pieces of the language', () => {
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 60 });
    fc.assert(
      fc.property(text, (parts) => check(`Orders.filter(${parts.join('')}`)),
      { numRuns: 5000 },
    );
  });

  test('real queries with parts removed, doubled, moved and inserted', () => {
    const edit = fc.record({
      at: fc.nat(200),
      length: fc.nat(12),
      by: fc.oneof(fc.constant(''), fc.constantFrom(...pieces), fc.constantFrom(...queries)),
    });
    const mutated = fc
      .tuple(fc.constantFrom(...queries), fc.array(edit, { maxLength: 4 }))
      .map(([query, edits]) =>
        edits.reduce(
          (text, { at, length, by }) => text.slice(0, at) + by + text.slice(at + length),
          query,
        ),
      );
    fc.assert(fc.property(mutated, check), { numRuns: 5000 });
  });

  test('every prefix of a real query', () => {
    for (const query of queries) {
      for (let length = 0; length <= query.length; length++) check(query.slice(0, length));
    }
  });
});
