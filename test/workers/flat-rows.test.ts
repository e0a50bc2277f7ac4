import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCatalog } from '../../src/engine/index.js';
import { OutermostFrame } from '../../src/workers/import/document-frames.js';
import { FrameStack } from '../../src/workers/import/frame.js';
import { JsonReader } from '../../src/workers/import/json-reader.js';
import { RowListFrame } from '../../src/workers/import/row-frames.js';
import { Staging } from '../../src/workers/import/staging.js';
import { createCipher } from '../../src/workers/cipher/cipher.js';
import { schemaOf } from './import-stage.js';

const catalog = createCatalog(
  schemaOf(`
enums:
  - name: Colors
    values: [{ name: red, value: red }, { name: blue, value: blue }]
entities:
  - name: Things
    primaryKey: [id]
    properties:
      - { name: id, type: integer }
      - { name: exact, type: decimal }
      - { name: rough, type: number }
      - { name: flag, type: boolean, default: false }
      - { name: text, length: 5 }
      - { name: needed, required: true, default: "a\\tb" }
      - { name: moment, type: dateTime }
      - { name: day, type: date }
      - { name: color, enum: Colors }
      - { name: any, type: any }
  - name: Things.parts
    primaryKey: [thingId, name]
    properties: [{ name: thingId, type: integer }, { name: name }]
    relations: [{ name: thing, from: thingId, entity: Things, to: id, target: parts }]
`),
);

/** The staged lines of each entity without the numbers of rows, or what is wrong. */
function staged(pieces: readonly Uint8Array[]): unknown {
  const now = '2026-01-01T00:00:00.000Z';
  const staging = new Staging({
    catalog,
    stage: 'default',
    around: { now, cipher: createCipher() },
    bitsOf: () => 32,
  });
  const frames = new FrameStack(
    new OutermostFrame((name, place) => {
      const entity = staging.entity(name, place);
      return new RowListFrame(entity, () => `${place}.rows`);
    }),
  );
  const reader = new JsonReader(frames);
  try {
    for (const piece of pieces) reader.write(piece);
    reader.end();
  } catch (error) {
    return error instanceof Error ? { ...error, message: error.message, at: frames.place } : error;
  }
  return staging.entities.map((entity) => {
    const given = entity.fields.map((_, index) => [entity.isGiven(index), entity.lacking(index)]);
    const lines = entity.takeLines().toString().split('\n');
    return [entity.name, entity.rows, given, lines.map((line) => line.replace(/^[^\t]*\t/, ''))];
  });
}

const strings = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('\\N', 'a\tb', '12', '-0', 'red', '2024-02-29', '2024-02-30', 'true', '\ud800'),
);
const values = fc.oneof(
  strings.map((text) => JSON.stringify(text)),
  fc.oneof(fc.integer(), fc.double(), fc.maxSafeInteger()).map((one) => JSON.stringify(one)),
  fc.constantFrom(
    'null',
    'true',
    'false',
    '[]',
    '{}',
    '1.50',
    '-0',
    '-0.5',
    '01',
    '1e3',
    '2147483648',
  ),
  fc.constantFrom('0.1', '1.', '-', '12345678901234567890', 'nul', '"\\u00e9"', '"\\ud83d\\ude00"'),
);
const names = fc.constantFrom(
  ...['id', 'exact', 'rough', 'flag', 'text', 'needed', 'moment', 'day', 'color', 'any', 'other'],
);
const likely = fc.oneof(
  { weight: 8, arbitrary: fc.record({ exact: fc.constantFrom('1.5', '7', '-2.25', 'null') }) },
  fc.dictionary(names, values, { maxKeys: 5 }),
);
const parts = fc.option(fc.array(fc.constantFrom('{"name":"a"}', '{"name":"b","thingId":1}')), {
  nil: undefined,
});
const rows = fc.array(fc.tuple(likely, parts, fc.nat(3)), { maxLength: 4 });

test('rows that are taken at once are those that the frames make of their parts', () => {
  let stagedWell = 0;
  const property = fc.property(rows, (some) => {
    const texts = some.map(([members, nested, blanks]) => {
      const space = ' '.repeat(blanks);
      const named = Object.entries({ id: '1', ...members }).map(
        ([name, text]) => `"${name}":${space}${text}`,
      );
      if (nested) named.push(`"parts":${space}[${nested.join(`${space},`)}]`);
      return `${space}{${named.join(`${space},`)}${space}}`;
    });
    const bytes = Buffer.from(`{"entities":[{"entity":"Things","rows":[${texts.join(',')}]}]}`);
    const whole = staged([bytes]);
    if (Array.isArray(whole)) stagedWell += 1;
    expect(whole).toEqual(staged([...bytes].map((byte) => Uint8Array.of(byte))));
  });
  fc.assert(property, { numRuns: 1500 });
  expect(stagedWell).toBeGreaterThan(300);
});
