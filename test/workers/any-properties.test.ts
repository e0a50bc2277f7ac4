/** A property of type `any` has texts, and is compared and computed with as a string. */
import { beforeAll, expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Items',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'name' },
      { name: 'count', type: 'integer' },
      { name: 'extra', type: 'any' },
    ],
  },
];

describeDomain('properties of type any', entities, (stage) => {
  beforeAll(async () => {
    await stage().ask('Items.bulkInsert()', [
      { id: 1, name: 'abc', count: 0, extra: 'abc' },
      { id: 2, name: '7', count: 7, extra: 7 },
      { id: 3, name: null, count: null, extra: null },
    ]);
  });

  test.each([
    ['p.extra==0', 'Cannot compare a string with an integer.'],
    ['p.extra>p.count', 'Cannot compare a string with an integer.'],
    ['true==p.extra', 'Cannot compare a boolean with a string.'],
    ['(p.extra ?? x)==1.5', 'Cannot compare a string with a decimal.'],
    ['in(p.extra,[1,2])', "'in' takes values of one type, but was given a string and an integer."],
    [
      'between(p.extra,1,5)',
      "'between' takes values of one type, but was given a string and an integer.",
    ],
    ['(p.extra ?? 0)!=null', 'A string and an integer have no type in common.'],
    ['(p.id>1 ? true : p.extra)==null', 'A boolean and a string have no type in common.'],
    ['p.extra*2>1', "'*' takes a decimal, not a string."],
    ['-p.extra<1', "'-' takes a decimal, not a string."],
    ['abs(p.extra)>1', "'x' of 'abs' takes a number, not a string."],
    ['p.extra', 'A condition takes a boolean, not a string.'],
  ])('are no numbers and no booleans: %s', async (condition, detail) => {
    const query = `Items.filter(p=>${condition}).map(p=>p.id)`;
    expect(await stage().problem(query, { x: 'a' })).toMatchObject({
      code: 'type-mismatch',
      detail,
    });
  });

  test.each([
    ['p.extra==x && p.id==x', 'x', 'a string and as an integer'],
    ['p.id==x && p.extra==x', 'x', 'an integer and as a string'],
    ['x==y && p.extra==y && p.id==x', 'x', 'a string and as an integer'],
    ['p.id==x && p.extra==y && x==y', 'x', 'an integer and as a string'],
    ['in(p.extra,xs) && in(p.id,xs)', 'xs', 'a string and as an integer'],
    ['in(p.id,xs) && in(p.extra,xs)', 'xs', 'an integer and as a string'],
    ['(p.extra ?? x)==p.name && p.id==x', 'x', 'a string and as an integer'],
  ])('are not compared with the parameter of a number: %s', async (condition, name, uses) => {
    const query = `Items.filter(p=>${condition}).map(p=>p.id)`;
    expect(await stage().problem(query, { x: 1, y: 1, xs: [1] })).toMatchObject({
      code: 'type-mismatch',
      detail: `Parameter '${name}' is used as ${uses}.`,
    });
  });

  test.each([
    ['Items.map(p=>({s: sum(p.extra)}))', "'sum' takes a decimal, not a string."],
    ['Items.update(p=>({count: p.extra}))', "Property 'count' takes an integer, not a string."],
  ])('are no numbers in %s', async (query, detail) => {
    expect(await stage().problem(query)).toMatchObject({ code: 'type-mismatch', detail });
  });

  test.each([
    ['p.extra=="7"', [2]],
    ['p.extra==x', [2]],
    ['in(p.extra,["abc","7"])', [1, 2]],
    ['in(p.extra,xs)', [1, 2]],
    ['p.extra==x && x==y', [2]],
    ['between(p.extra,"7","b")', [1, 2]],
    ['p.extra==p.name', [1, 2]],
    ['(p.extra ?? x)=="7"', [2, 3]],
    ['p.extra+1=="71"', [2]],
    ['p.extra+p.extra=="77"', [2]],
    ['toNumber(p.extra)>p.count-1', [2]],
    ['upper(p.extra)=="ABC"', [1]],
    ['p.extra==null', [3]],
  ])('are strings: %s', async (condition, ids) => {
    const query = `Items.filter(p=>${condition}).sort(p=>p.id).map(p=>p.id)`;
    const rows = await stage().ask(query, { x: 7, y: 7, xs: ['abc', 7] });
    expect(rows).toEqual(ids.map((id) => ({ id })));
  });
});
