/** Which literals of a query can be parameters of a plan that it shares with others. */
import { describe, expect, test } from 'vitest';
import { liftLiterals } from '../../src/engine/query/lift-literals.js';
import { ExactNumber } from '../../src/engine/values/data-value.js';

describe('literals in conditions become parameters', () => {
  test.each([
    ['O.filter(p=>p.id==17)', 'O.filter(p=>p.id==$1)', '17'],
    ['O.filter(p => p.id === 17);', 'O.filter(p => p.id === $1);', '17'],
    ['O.filter((p)=>p.id!=17)', 'O.filter((p)=>p.id!=$1)', '17'],
    ['O.filter(p=>p.id == -5 )', 'O.filter(p=>p.id == $1 )', '-5'],
    ['O.filter(p=>p.a.b.c<"x")', 'O.filter(p=>p.a.b.c<$1)', '"x"'],
    ['O.filter(p=>p.a==\'say "so"\')', 'O.filter(p=>p.a==$1)', '"say \\"so\\""'],
    [
      'O.filter(p=>p.a>0.50 && (p.b<2||p.c<=x))',
      'O.filter(p=>p.a>$1 && (p.b<$2||p.c<=x))',
      '0.50 2',
    ],
    ['O.filter(p=>!(p.a>=1))', 'O.filter(p=>!(p.a>=$1))', '1'],
    ['O.filter(p=>p.a+2*p.b==5)', 'O.filter(p=>p.a+2*p.b==$1)', '5'],
    ['O.filter(p=>length(p.a)==5)', 'O.filter(p=>length(p.a)==$1)', '5'],
    ['O.filter(p=>p.a["b"]=="c")', 'O.filter(p=>p.a["b"]==$1)', '"c"'],
    [
      'O.filter(p=>in(p.id,[1, -2]) && !in(p.a+1,["x"]))',
      'O.filter(p=>in(p.id,$1) && !in(p.a+1,$2))',
      '[1,-2] ["x"]',
    ],
    ['O.include(p=>p.ds.filter(d=>d.q>3))', 'O.include(p=>p.ds.filter(d=>d.q>$1))', '3'],
    ['O.filter(p=>p.a==1).map(q=>q.b).take(5)', 'O.filter(p=>p.a==$1).map(q=>q.b).take(5)', '1'],
  ])('%s', (text, template, values) => {
    const lifted = liftLiterals(text);
    expect(lifted?.template).toBe(template);
    expect(lifted?.literals.map(({ json }) => json).join(' ')).toBe(values);
  });

  test('with their values and all digits', () => {
    const long = '12345678901234567890';
    const lifted = liftLiterals(`O.filter(p=>p.a==7 && p.b=='x\\n' && p.c<${long} && p.d<0.10)`);
    expect(lifted?.literals.map(({ value }) => value)).toEqual([
      7,
      'x\n',
      new ExactNumber(long),
      new ExactNumber('0.10'),
    ]);
  });
});

describe('other literals stay', () => {
  test.each([
    'O.filter(p=>p.id==id)',
    'O.take(5)',
    'O.page(1,10)',
    'O.map(p=>({a:p.b==5}))',
    'O.map(p=>[p.b==5,count(1)])',
    'O.having(p=>p.b==5)',
    'O.sort(p=>p.b==5)',
    'O.filter(p=>p.a+1==b)',
    'O.filter(p=>p.a==5+1)',
    'O.filter(p=>p.a==5?b:c)',
    'O.filter(p=>p.a==1e3)',
    'O.filter(p=>p.a==.5)',
    'O.filter(p=>p.a==1234567890123456789012345678901)',
    'O.filter(p=>p.a==-0)',
    'O.filter(p=>p.a==true)',
    'O.filter(p=>iif(p.a==5,b,c))',
    'O.filter(p=>p.a.startsWith("x"))',
    'O.filter(p=>p.ds.any(d=>d.q==5))',
    'filter(p=>p.a==5)',
    'O.filter(p=>in(p.a,[]))',
    'O.filter(p=>in(p.a,[1,"x"]))',
    'O.filter(p=>in(p.a,[1,null]))',
    'O.filter(p=>in(p.a,[1,x]))',
    'O.filter(p=>in(p.a,[1,]))',
    'O.filter(p=>in(p.a,[1,[2]]))',
    'O.filter(p=>in(p.a,[1)',
    'O.filter(p=>in([1,2],p.a))',
    'O.filter(p=>in(f(p.a,[1,2]),list))',
    'O.filter(p=>p.a.in([1,2]))',
    'O.map(p=>in(p.a,[1,2]))',
    'O.filter(p=>in(p.a,p.b==5))',
    'O.filter(p=>p.$a==5)',
    'O.filter(p=>p.a==5 && p.b=="open)',
    `O.filter(p=>${Array.from({ length: 17 }, () => 'p.a==5').join('||')})`,
    `O.filter(p=>p.a==5)${' '.repeat(4096)}`,
  ])('%s', (text) => {
    expect(liftLiterals(text)).toBeUndefined();
  });
});
