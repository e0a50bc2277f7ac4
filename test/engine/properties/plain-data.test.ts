/**
 * The plain reader yields the same arguments as the parser, or leaves the data to the parser.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPlainReader, readArguments } from '../../../src/engine/index.js';
import { parseData } from '../../../src/workers/parse-data.js';
import '../../support/fixed-seed.js';
import { compile } from '../functions/compile-call.js';

const plan = compile('Orders.filter(p=>p.id==id && p.customerId==customer)');
const read = createPlainReader(plan);

const value = fc.oneof(
  fc.integer().map(String),
  fc.constantFrom('0', '-0', '01', '1.5', '1e3', '9007199254740993', 'true', 'null', '-', ''),
  fc.string().map((text) => JSON.stringify(text)),
  fc.constantFrom('"A\\u0041"', '"é"', '"\u007f"', '"', '"a', `"${'x'.repeat(400)}"`),
);
const data = fc.oneof(
  fc.tuple(value, value).map(([id, customer]) => `{"id":${id},"customer":${customer}}`),
  fc.tuple(value, value).map(([id, customer]) => `{"customer":${customer},"id":${id}}`),
  fc.tuple(value, value).map(([id, more]) => `{"id":${id},"customer":"X","more":${more}}`),
  fc.tuple(value, value).map(([id, customer]) => `{ "id": ${id}, "customer": ${customer} } `),
  fc.tuple(value, value).map(([id, customer]) => `{"id":${id},"customer":${customer}}}`),
);

describe('data that is read in one pass', () => {
  test('yields the same arguments as with the parser', () => {
    fc.assert(
      fc.property(data, (text) => {
        const plain = read?.(text);
        if (plain !== undefined) expect(plain).toEqual(readArguments(plan, parseData(text)));
      }),
      { numRuns: 3000 },
    );
  });

  test('yields the same decimals as with the parser', () => {
    const decimals = compile('Orders.filter(p=>p.freight==f && p.freight<$1)');
    const readDecimals = createPlainReader(decimals);
    fc.assert(
      fc.property(value, value, (f, other) => {
        const text = `{"f":${f},"$1":${other}}`;
        const plain = readDecimals?.(text);
        if (plain !== undefined) expect(plain).toEqual(readArguments(decimals, parseData(text)));
      }),
    );
    expect(readDecimals?.('{"f":7,"$1":0}')).toBeDefined();
    expect(readDecimals?.('{"f":7.5,"$1":0}')).toBeUndefined();
  });

  test('is what most requests send', () => {
    const texts = new Map([
      ['id', '-42'],
      ['customer', 'ALFKI'],
    ]);
    expect(read?.('{"id":-42,"customer":"ALFKI"}')?.texts).toEqual(texts);
  });

  test.each(['{"id":1}', '{"id":1,"customer":"A"', '{"id":1,"customer":"A"} ', '[]', '', 'null'])(
    'does not include %s',
    (text) => expect(read?.(text)).toBeUndefined(),
  );

  test('is not used for parameters of other types, or without parameters', () => {
    expect(createPlainReader(compile('Orders.filter(p=>p.orderDate==d)'))).toBeUndefined();
    expect(createPlainReader(compile('Orders.filter(p=>p.id==1)'))).toBeUndefined();
    expect(createPlainReader(compile('Orders.filter(p=>in(p.id,ids))'))).toBeUndefined();
  });
});
