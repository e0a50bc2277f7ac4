/** The scanner of an import document returns the same rows wherever its bytes are cut. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DataObject, ExactNumber } from '../../src/engine/index.js';
import { parseRows } from '../../src/workers/import/parse-rows.js';
import { DocumentScanner } from '../../src/workers/import/scan-document.js';

interface Block {
  readonly entity: string;
  readonly place: string;
  readonly isStored: boolean;
  readonly rows: DataObject[];
}

/** What the scanner returns for the chunks of a document. Throws if the document is invalid. */
function scanned(pieces: readonly Uint8Array[]): readonly Block[] {
  const blocks: Block[] = [];
  const scanner = new DocumentScanner({
    open: (entity, place, isStored) => void blocks.push({ entity, place, isStored, rows: [] }),
    rows(piece) {
      const block = blocks.at(-1);
      if (!block) throw new Error('rows of no entity');
      expect(piece.first).toBe(block.rows.length);
      for (const { object, place } of parseRows(piece, `${block.place}.rows`)) {
        expect(place).toBe(`${block.place}.rows[${block.rows.length}]`);
        block.rows.push(object);
      }
    },
  });
  for (const piece of pieces) scanner.write(Buffer.from(piece));
  scanner.end();
  return blocks;
}

/** The same, from a document that JSON.parse has read; undefined if it is not an import document. */
function blocksOf(document: unknown): readonly Block[] | undefined {
  if (!isObject(document) || !Array.isArray(document['entities'])) return undefined;
  const { entities, values } = document;
  const others = Object.keys(document).filter((name) => name !== 'entities' && name !== 'values');
  if (others.length > 0 || (values !== undefined && values !== 'stored')) return undefined;
  const isStored = values === 'stored';
  const blocks: Block[] = [];
  for (const [index, item] of entities.entries()) {
    if (!isObject(item) || Object.keys(item).toSorted().join() !== 'entity,rows') return undefined;
    const { entity, rows } = item;
    if (typeof entity !== 'string' || !Array.isArray(rows) || !rows.every(isObject))
      return undefined;
    blocks.push({ entity, place: `entities[${index}]`, isStored, rows });
  }
  return blocks;
}

function isObject(value: unknown): value is Record<string, unknown> & DataObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length));
}

const text = fc.string({ unit: 'binary', maxLength: 6 });
const hard = fc.oneof(text, fc.constantFrom('"', '\\', '\\"', '{', ']', '}{', 'é😀', ','));
const values = fc.oneof(
  { depthSize: 'small', withCrossShrink: true },
  hard,
  fc.integer(),
  fc.constantFrom(null, true, 0.5, [], {}),
  fc.array(fc.dictionary(hard, hard, { maxKeys: 2 }), { maxLength: 2 }),
);
const rows = fc.array(fc.dictionary(hard, values, { maxKeys: 4 }), { maxLength: 4 });
const block = fc
  .tuple(hard, rows, fc.boolean())
  .map(([entity, list, isNameFirst]) =>
    isNameFirst ? { entity, rows: list } : { rows: list, entity },
  );
const documents = fc
  .tuple(fc.array(block, { maxLength: 3 }), fc.boolean(), fc.constantFrom(0, 1, 2))
  .map(([entities, isStored, indent]) =>
    JSON.stringify({ ...(isStored && { values: 'stored' }), entities }, null, indent),
  );
const places = fc.array(fc.nat(), { maxLength: 12 });
/** Small changes of a text, most of which make it invalid JSON. */
const changes = fc.array(
  fc.record({
    at: fc.nat(),
    drop: fc.nat(2),
    add: fc.constantFrom('', ...'{}[]:,"\\u0e-+.1tfn \n'),
  }),
  { maxLength: 3 },
);

test('every row of a document equals that of JSON.parse, wherever the document is split', () => {
  fc.assert(
    fc.property(documents, places, (document, where) => {
      const bytes = Buffer.from(document);
      const expected = blocksOf(JSON.parse(bytes.toString()));
      expect(scanned(cut(bytes, where))).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('text is refused exactly if it is not JSON or not a document', () => {
  let refused = 0;
  fc.assert(
    fc.property(documents, changes, places, (document, many, where) => {
      let changed = document;
      for (const { at, drop, add } of many) {
        const from = at % (changed.length + 1);
        changed = changed.slice(0, from) + add + changed.slice(from + drop);
      }
      const bytes = Buffer.from(changed);
      const expected = expectedOf(bytes.toString());
      if (expected === undefined) {
        refused += 1;
        expect(() => scanned(cut(bytes, where))).toThrow(expect.objectContaining({ code }));
      } else expect(asFloats(scanned(cut(bytes, where)))).toEqual(expected);
    }),
    { numRuns: 3000 },
  );
  expect(refused).toBeGreaterThan(300);
});

test.each(['id,name\n1,Ann\n', '', '\ufeffid'])('the error for %j tells the format', (text) => {
  const place = {
    code,
    hint: expect.stringContaining('{"entities": [{"entity": "Orders", "rows"'),
  };
  expect(() => scanned([Buffer.from(text)])).toThrow(expect.objectContaining(place));
});

const code = 'import-malformed';

/** Converts exact numbers to those of JSON.parse. */
function asFloats(value: unknown): unknown {
  if (value instanceof ExactNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(asFloats);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asFloats(one)]));
}

function expectedOf(document: string): readonly Block[] | undefined {
  try {
    return blocksOf(JSON.parse(document));
  } catch {
    return undefined;
  }
}

test('a document may begin with a byte order mark', () => {
  const bytes = Buffer.from('\uFEFF{"entities":[{"entity":"A","rows":[{"a":1}]}]}');
  for (let at = 0; at <= 4; at += 1) expect(scanned(cut(bytes, [at]))).toHaveLength(1);
});

test('numbers keep digits that do not fit into a double', () => {
  const [found] = scanned([
    Buffer.from('{"entities":[{"entity":"A","rows":[{"a":0.1000000000000000000001,"b":1E2}]}]}'),
  ]);
  expect(found?.rows).toEqual([{ a: { text: '0.1000000000000000000001' }, b: 100 }]);
});

test('a row that arrives in thousands of pieces is joined once', () => {
  const piece = Buffer.alloc(1024, 'x');
  const pieces = Array.from({ length: 20_000 }, () => piece);
  const before = performance.now();
  const [found] = scanned([
    Buffer.from('{"entities":[{"entity":"A","rows":[{"a":"'),
    ...pieces,
    Buffer.from('"}]}]}'),
  ]);
  expect(String(found?.rows[0]?.['a'])).toHaveLength(20_000 * 1024);
  // Joining all chunks again for each new one would copy 200 GB.
  expect(performance.now() - before).toBeLessThan(10_000);
});
