/** A body that is split has the same meaning as one that is parsed whole. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitBody } from '../../src/workers/tasks/split-body.js';
import '../support/fixed-seed.js';

/** Puts the cut-out data back into the body, as the value that its text denotes. */
function joined(text: string, cuts: readonly Uint8Array[]): unknown {
  const back = (_: string, value: unknown): unknown => {
    if (typeof value !== 'string' || !value.startsWith('\u0000')) return value;
    const cut = cuts[Number(value.slice(1))];
    return cut ? JSON.parse(Buffer.from(cut).toString()) : value;
  };
  return JSON.parse(text, back);
}

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));
const split = (text: string) => splitBody(bytesOf(text));

/** Long enough to be cut out. */
const long = fc
  .jsonValue()
  .map((value) => ({ value, '"}],[{:\\"': 'é🙂'.repeat(60), data: [{ data: '\\"' }] }));
const options = fc.option(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }));
const query = fc.record({ query: fc.string(), data: fc.oneof(long, fc.jsonValue()), options });
const indent = fc.constantFrom(0, 2, '\t');

describe('a body that is split', () => {
  test('has the same members when its data is put back', () => {
    const body = fc.oneof(query, fc.array(query), fc.record({ steps: fc.array(query), options }));
    fc.assert(
      fc.property(body, indent, (value, space) => {
        const { text, cuts } = split(JSON.stringify(value, null, space));
        expect(joined(text, cuts)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('has the same data if that is a JSON text', () => {
    fc.assert(
      fc.property(query, indent, (value, space) => {
        const text = JSON.stringify({ ...value, data: JSON.stringify(value.data) }, null, space);
        const whole = split(text);
        if (whole.cuts.length === 0) expect(whole.text).toBe(text);
        else expect(joined(whole.text, whole.cuts)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  const large = JSON.stringify({ a: 'x'.repeat(300), digits: [] }).replace(
    '[]',
    '1234567890.12345678901',
  );

  test.each([
    ['an object', `{"query":"q","data":${large}}`, 1],
    ['an object behind blanks', `{"query":"q","data" \n:\t ${large}}`, 1],
    ['steps', `[{"query":"q","data":${large}},{"data":${large}}]`, 2],
    ['steps with options', `{"steps":[{"query":"q","data":${large}}],"options":{}}`, 1],
    ['what is called data deeper', `{"query":"q","options":{"a":{"data":${large}}}}`, 0],
    ['data that is short', '{"query":"q","data":{}}', 0],
    ['data that is a number', `{"query":"q","data":${'1'.repeat(300)}}`, 0],
    ['a text that is data', `["data",${large}]`, 0],
  ])('yields the data of %s with every digit', (_, text, count) => {
    const { text: rest, cuts } = split(text);
    expect(cuts).toHaveLength(count);
    for (const cut of cuts) expect(Buffer.from(cut).toString()).toBe(large);
    if (count === 0) expect(rest).toBe(text);
  });

  test('yields both of two members with the same name: the last one counts', () => {
    const { text, cuts } = split(`{"data":${large},"data":{"b":"${'y'.repeat(300)}"}}`);
    expect(joined(text, cuts)).toEqual({ data: { b: 'y'.repeat(300) } });
  });

  test('is refused if the text of its data has half a surrogate pair', () => {
    const data = JSON.stringify({ a: 'x'.repeat(300), half: '?' }).replace('?', '\ud800');
    const body = JSON.stringify({ query: 'q', data });
    expect(() => split(body)).toThrow(expect.objectContaining({ code: 'parameter-type' }));
  });

  test('remains malformed wherever it is truncated', () => {
    const text = `{"query":"q","data":${large},"options":{}}`;
    for (let end = 0; end < text.length; end += 1) {
      expect(() => joined(split(text.slice(0, end)).text, [])).toThrow();
    }
  });

  test('is refused if it is not UTF-8', () => {
    expect(() => splitBody(new Uint8Array(Buffer.from('{"query":"\xff"}', 'latin1')))).toThrow(
      'UTF-8',
    );
  });
});
