/**
 * Whatever is parsed and compiled, the result is a query or an error with a position: never another
 * error, and never slow.
 */
import { expect, test } from 'vitest';
import { compileQuery } from '../../src/engine/compile.js';
import { parseQuery } from '../../src/engine/language/parse-query.js';
import { printQuery } from '../engine/language/print.js';
import { readTopics } from '../engine/golden/cases.js';
import { catalogs } from '../engine/golden/plans.js';
import { limits } from '../engine/language/limits-for-tests.js';
import { thrownBy } from '../engine/language/thrown-by.js';
import { fuzz } from './inputs.js';
import { changeText } from './mutate.js';

const queries = [
  ...readTopics().flatMap(({ cases }) => cases.map(({ query }) => query)),
  'Orders.filter(p=>p.customerId==customerId).include(p=>p.details)',
  'Orders.filter(p=>p.id==0).include(p=>[p.details.include(q=>q.product),p.customer,p.employee])',
  'Products.filter(p=>p.price>10).map(p=>({name:p.name,category:p.category.name})).sort(p=>[p.category,p.name]).page(1,10)',
  'Products.filter(p=>!between(p.price,10,12) && p.name=="a\\"b" || p.id<>.5e-3).map(p=>p.id);',
  '()=>Categories.include(p=>p.products.sort(q=>desc(q.price)).first(q=>q.name))',
  'Products.map(p=>({r: p.price ?? 0 ** -2 // 3 % `x` /* c */ ? [1,2,] : null}))',
  'Orders.insert().include(p=>p.details)',
  'Orders.bulkInsert({customerId: c, details: d}).include(p=>[p.details, p.customer])',
  'Products.update({price: p.price * 2, name: concat(name, "x")}).filter(p=>p.category.name == c)',
  'Products.upsert()',
  'Products.update()',
  'Orders.updateAll({freight: f})',
  'Orders.delete().filter(p=>p.details.sum(d=>d.quantity) > 3)',
  'Orders.delete().include(p=>p.details)',
  'Categories.deleteAll()',
];

const pieces = [
  ...'()[]{}.,:;?!~+-*/%&|^<>="\'`\\$_ap0 \n\0\u2028\ud800'.split(''),
  ...String.raw`=> ** // /* */ ?? && || == 1e999 0x .5 \u{110000} null true "x" ({a:`.split(' '),
  ...'.filter( .map( .include( .sort( .page( .having( .distinct( .first( p=> q=>'.split(' '),
  ...'count() sum( in( between( concat( desc( now() toJson( date('.split(' '),
  ...'p.details p.customer p.name p.id p.price'.split(' '),
  ...['['.repeat(70), '('.repeat(70), '-'.repeat(70), 'a?'.repeat(70), '!'.repeat(3000)],
];

function check(text: string): void {
  const syntaxError = thrownBy(() => printQuery(parseQuery(text, limits)));
  for (const catalog of Object.values(catalogs)) {
    const error = thrownBy(() => compileQuery(catalog, { expression: text }));
    if (syntaxError) expect(error?.code).toBe(syntaxError.code);
    if (!error) continue;
    expect(error.message).not.toBe('');
    expect(error.position).toBeDefined();
    expect(error.span?.start).toBeLessThanOrEqual(text.length);
    expect(error.span?.end).toBeLessThanOrEqual(text.length);
  }
}

fuzz('random characters', {
  usual: 3000,
  make: (random) => {
    const below = random.pick([128, 256, 0x1_0000]);
    return Array.from({ length: random.below(200) }, () =>
      String.fromCharCode(random.below(below)),
    ).join('');
  },
  check,
});

fuzz('random pieces of the language', {
  usual: 5000,
  make: (random) =>
    random.pick(['Orders.filter(', 'Orders.map(p=>', 'Orders.']) +
    Array.from({ length: random.below(60) }, () => random.pick(pieces)).join(''),
  check,
});

fuzz('changed queries', {
  usual: 5000,
  make: (random) => changeText(random, random.pick(queries), [...pieces, random.pick(queries)]),
  check,
});

test('every prefix of a query', () => {
  for (const query of queries.slice(-15)) {
    for (let length = 0; length <= query.length; length++) check(query.slice(0, length));
  }
});
