/**
 * A body that is recognized without a parser has the same result as with the parser, or is left to it.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BodyTemplateCache } from '../../src/gateway/body-template-cache.js';
import { planKeyOf } from '../../src/gateway/plan-cache.js';
import type { QueryRequest } from '../../src/gateway/query-request.js';
import '../support/fixed-seed.js';

/** The parsed body, or undefined if it is not a query. */
function parsed(text: string): QueryRequest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('query' in value)) return undefined;
  const data = 'data' in value ? value.data : undefined;
  const options = 'options' in value ? value.options : undefined;
  if (typeof value.query !== 'string' || (data !== undefined && typeof data !== 'string')) {
    return undefined;
  }
  return { key: planKeyOf(value.query, JSON.stringify(options) ?? '', ''), data };
}

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text));
}

function learnt(...texts: readonly string[]): BodyTemplateCache {
  const bodies = new BodyTemplateCache();
  for (const text of texts) {
    const request = parsed(text);
    if (request) bodies.learn(text, request);
  }
  return bodies;
}

const pieces = fc.constantFrom(
  '"',
  '\\',
  '\\"',
  '\\u0022',
  'n',
  '{',
  '}',
  ',',
  ':',
  '\n',
  'é',
  '\u007f',
  'probe',
  'p=>p.id',
  '"data":"',
  '1',
);
const text = fc.oneof(
  fc.string(),
  fc.array(pieces, { maxLength: 8 }).map((all) => all.join('')),
);
const spaces = fc.constantFrom('', ' ', '\n  ');
const member = fc.constantFrom('query', 'data', 'options', 'data', 'other');
const body = fc.oneof(
  fc.record({ query: text, data: text }).map((value) => JSON.stringify(value)),
  fc.record({ data: text, query: text, options: text }).map((value) => JSON.stringify(value)),
  fc.record({ query: text }).map((value) => JSON.stringify(value)),
  fc.tuple(text, text).map(([query, data]) => `{"query":"${query}","data":"${data}"}`),
  fc.tuple(fc.array(fc.tuple(member, text), { maxLength: 5 }), spaces).map(([members, space]) => {
    const all = members.map(([name, value]) => `"${name}":${space}${JSON.stringify(value)}`);
    return `{${all.join(`,${space}`)}}`;
  }),
);

describe('a body', () => {
  test('that is found gives the same request as the parser', () => {
    let found = 0;
    fc.assert(
      fc.property(
        fc.array(body, { minLength: 1, maxLength: 6 }),
        body,
        text,
        (known, other, data) => {
          const bodies = learnt(...known);
          const alike = known.map((each) => {
            const request = parsed(each);
            const quoted = JSON.stringify(request?.data ?? '');
            return each.replace(quoted, () => JSON.stringify(data));
          });
          for (const asked of [...known, ...alike, other]) {
            const request = bodies.find(bytesOf(asked));
            if (request === undefined) continue;
            found += 1;
            expect(request).toEqual(parsed(asked));
          }
        },
      ),
      { numRuns: 3000 },
    );
    expect(found).toBeGreaterThan(500);
  });

  const first = '{"query":"Products.filter(p=>p.id==id)","data":"{\\"id\\":1}"}';
  test.each([
    ['the same', first],
    ['other data', first.replace('1', '4711')],
    ['longer data', first.replace('1', '1'.repeat(60))],
    ['data with nothing in it', first.replace('{\\"id\\":1}', '')],
  ])('is found if it has %s', (_, asked) => {
    expect(learnt(first).find(bytesOf(asked))).toEqual(parsed(asked));
  });

  test.each([
    ['another query', first.replace('id==id', 'id!=id')],
    ['an escape beside quotes', first.replace('1', '\\\\n')],
    ['a bare quote', first.replace('1', '"')],
    ['an escape at its end', first.replace('"}', '\\"}')],
    ['a control character', first.replace('1', '\t')],
    ['a character beyond ASCII', first.replace('1', 'é')],
    ['data that is too long', first.replace('1', '1'.repeat(5000))],
    ['more members after it', `${first} `],
    ['less', first.slice(0, -1)],
    ['nothing', ''],
  ])('is left to the parser if it has %s', (_, asked) => {
    expect(learnt(first).find(bytesOf(asked))).toBeUndefined();
  });

  test('is distinguished from others with the same data or query', () => {
    const doubled = '{"data":"a","query":"a","data":"b"}';
    expect(learnt(doubled).find(bytesOf(doubled.replace('"b"', '"c"')))?.data).toBe('c');
    expect(learnt(doubled).find(bytesOf(doubled.replace('"a"', '"c"')))).toBeUndefined();
    const same = '{"data":"a","query":"a"}';
    expect(learnt(same).find(bytesOf('{"data":"a","query":"b"}'))).toBeUndefined();
  });

  test('without data is found as a whole', () => {
    const whole = '{ "query": "Products" }';
    expect(learnt(whole).find(bytesOf(whole))).toEqual(parsed(whole));
    expect(learnt(whole).find(bytesOf(whole.replace(' }', '}')))).toBeUndefined();
  });

  test('is found again among a hundred kinds of bodies', () => {
    const all = Array.from({ length: 128 }, (_, n) => `{"query":"Q${n}","data":"{\\"n\\":${n}}"}`);
    const bodies = learnt(...all);
    for (const each of all) expect(bodies.find(bytesOf(each))).toEqual(parsed(each));
  });

  test('replaces the oldest one if there are very many kinds', () => {
    const all = Array.from({ length: 9000 }, (_, n) => `{"query":"Q${n}","data":"{}"}`);
    const bodies = learnt(...all);
    const found = all.filter((each) => bodies.find(bytesOf(each)));
    expect(found.length).toBe(512);
    for (const each of found) expect(bodies.find(bytesOf(each))).toEqual(parsed(each));
  });

  test('is distinguished by its end from others with the same beginning', () => {
    const all = Array.from({ length: 20 }, (_, n) => `{"data":"{}","query":"Q${n}"}`);
    const bodies = learnt(...all);
    const found = all.filter((each) => bodies.find(bytesOf(each)));
    expect(found).toEqual(all.slice(-16));
    for (const each of found) expect(bodies.find(bytesOf(each))).toEqual(parsed(each));
  });

  test('of many kinds with a few ends each replaces the oldest ones', () => {
    const all = Array.from({ length: 8192 }, (_, n) => {
      const options = { stage: `s${n % 16}` };
      return JSON.stringify({ query: `Q${n >> 4}`, data: '{}', options });
    });
    const bodies = learnt(...all);
    const found = all.filter((each) => bodies.find(bytesOf(each)));
    expect(found.length).toBeGreaterThan(400);
    expect(found.length).toBeLessThanOrEqual(512);
  });
});
