/** What random tests found once: each case stands for a kind of fault. */
import type { KnownFault } from '../known.js';

export interface FixedCase {
  readonly query: string;
  /** JSON text. */
  readonly data?: string;
  /** The JSON text of the answer, or the code of the refusal. */
  readonly answer: string;
  /** Of a write: a query afterwards, and its answer. */
  readonly afterwards?: readonly [query: string, answer: string];
  /** Left out while the fault is known. */
  readonly known?: KnownFault;
}

const all = 'sort(p=>p.id)';

export const fixedCases: readonly FixedCase[] = [
  {
    query: `A.map(p=>({o: p.one.order})).${all}`,
    answer: '[{"o":"first"},{"o":null},{"o":null}]',
    known: 'one-to-one-inverse',
  },
  {
    query: `Weak.map(p=>({s: p.a.s, t: p.t})).${all}`,
    answer: '[{"s":"Ab","t":"held"},{"s":null,"t":"loose"}]',
    known: 'weak-required',
  },
  {
    query: `A.map(p=>({x: p.kids.max(q=>p.i), n: p.kids.min(q=>p.kids.count())})).${all}`,
    answer: '[{"x":7,"n":2},{"x":null,"n":null},{"x":null,"n":null}]',
  },
  {
    query: 'A.filter(p=>p.id==1).map(p=>({l: lpad(p.s, 5, null), r: rpad(p.s, 2, null)}))',
    answer: '[{"l":null,"r":null}]',
  },
  {
    query: 'A.filter(p=>p.id==1).map(p=>({x: round(log(2, 8), 6)}))',
    answer: '[{"x":3}]',
  },
  {
    query: 'A.filter(p=>p.id==2).map(p=>({x: p.d*p.d, y: p.d**2, z: power(p.d, 2)}))',
    answer:
      '[{"x":9999999999999999999800000000000000000001,"y":9999999999999999999800000000000000000001,"z":9999999999999999999800000000000000000001}]',
    known: 'large-products',
  },
  {
    query: `A.filter(p=>0==null.trunc(1).toNumber()||1==null.abs().toInteger()).${all}`,
    answer: '[]',
  },
  {
    query: `A.filter(p=>p.kids.max(q=>"O'Neil")>"a"||"A"=="a").${all}.map(p=>p.id)`,
    answer: '[]',
  },
  {
    query: 'A.filter(p=>p.id==1).map(p=>({x: nvl(n, 1) << 0}))',
    data: '{"n": null}',
    answer: '[{"x":1}]',
    known: 'null-number',
  },
  { query: 'A.page(1, 0)', answer: 'wrong-arguments', known: 'empty-page' },
  { query: 'A.page(x, 1)', data: '{"x": null}', answer: 'parameter-type', known: 'empty-page' },
  { query: 'A.page(1, x)', data: '{"x": 0}', answer: 'parameter-type', known: 'empty-page' },
  {
    query: 'A.update(p=>({extra: p.s})).filter(p=>p.id==1)',
    data: '{"s": "of the data"}',
    answer: '1',
    afterwards: [`A.map(p=>p.extra).${all}`, '[{"extra":"Ab"},{"extra":null},{"extra":"1.50"}]'],
  },
  {
    query: 'One.update().include(p=>p.a)',
    data: '{"code": 77, "order": "x", "a": {"i": 1}}',
    answer: '0',
    afterwards: ['A.count()', '[{"count":3}]'],
    known: 'update-nobody',
  },
  {
    query: 'Bare.update(p=>({now: null})).filter(p=>p.a.b)',
    answer: '1',
    known: 'keyless-join',
  },
  {
    query: 'A.pair.delete().filter(p=>exists(p.a.pairs.filter(q=>q.a.b), q=>q.kind!=p.kind))',
    answer: '2',
    afterwards: ['A.pair.map(p=>p.kind)', '[{"kind":"x"}]'],
    known: 'written-subquery',
  },
  { query: `A.map(p=>p.s).${all}`, answer: '[{"s":"Ab"},{"s":null},{"s":"a%b"}]' },
  {
    query: 'A.map(p=>({m: -p.i, n: ~p.i, a: abs(p.i)})).filter(p=>p.id==2)',
    answer: '[{"m":2147483648,"n":2147483647,"a":2147483648}]',
    known: 'opposite-of-least',
  },
  {
    query: `A.map(p=>({z: p.d/0, r: p.i%0, q: p.i/(p.i-7)})).${all}`,
    answer:
      '[{"z":null,"r":null,"q":null},{"z":null,"r":null,"q":0.99999999674037099947},{"z":null,"r":null,"q":null}]',
  },
];
