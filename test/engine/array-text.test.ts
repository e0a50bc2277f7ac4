/** Arrays in the text formats of the databases are converted to JSON. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { postgresqlArray } from '../../src/engine/dialects/postgresql/array-literal.js';
import { arrayJson, storedItems } from '../../src/engine/values/array-text.js';
import { scalarEncoder } from '../../src/engine/values/scalar-json.js';

const items = fc.array(fc.option(fc.string({ unit: 'binary' })));

describe('an array', () => {
  test('is the same after it was written and read', () => {
    fc.assert(
      fc.property(items, (texts) => {
        const json = arrayJson(postgresqlArray(texts), JSON.stringify);
        expect(JSON.parse(json)).toEqual(texts);
        expect(storedItems(postgresqlArray(texts))).toEqual(texts);
        expect(JSON.parse(arrayJson(JSON.stringify(texts), JSON.stringify))).toEqual(texts);
      }),
    );
  });

  test.each([
    ['integer[]', '{}', '[]'],
    ['integer[]', '[0:1]={7,NULL}', '[7,null]'],
    ['integer[]', '{{1,2},{3,4}}', '[[1,2],[3,4]]'],
    ['integer[]', '[1:1][-2:-1]={{1,2}}', '[[1,2]]'],
    ['decimal[]', '{20.800,NaN}', '[20.8,null]'],
    ['decimal[]', ' [ 20.800 , null ]', '[20.8,null]'],
    ['boolean[]', '{t,f}', '[true,false]'],
    ['string[]', '{a,"NULL",NULL,"{,}"}', '["a","NULL",null,"{,}"]'],
    ['string[]', String.raw`["[{]=", "\"\\"]`, String.raw`["[{]=","\"\\"]`],
    ['dateTime[]', '{"2024-02-29 12:30:00+00",infinity}', '["2024-02-29T12:30:00.000Z",null]'],
    ['dateTime[]', '["2024-02-29T12:30:00Z"]', '["2024-02-29T12:30:00.000Z"]'],
    ['string[]', '{"a": [1, true]}', '{"a":["1","true"]}'],
    ['string[]', '"text"', '"text"'],
  ] as const)('of %s is parsed: %s', (type, text, json) => {
    expect(scalarEncoder(type)(text)).toBe(json);
  });
});
