/** `docs/schema-file.md` lists every member that the loader accepts, and its examples can be loaded. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkSchema } from '../../src/engine/index.js';
import { schemaKeys } from '../../src/engine/schema/keys.js';
import { blocksOf } from './blocks.js';

const text = readFileSync(new URL('../../docs/schema-file.md', import.meta.url), 'utf8');
const TABLE = /<!-- keys: (\w+) -->\n((?:\|.*\n)+)/g;
const examples = blocksOf('docs/schema-file.md', 'yaml');

interface Described {
  readonly kind: string;
  readonly keys: readonly string[];
  /** The members that Rowgate does not ignore. */
  readonly used: readonly string[];
  /** The next example after the table. */
  readonly example: string;
}

const described = [...text.matchAll(TABLE)].map((match): Described => {
  const [whole, kind = '', table = ''] = match;
  const rows = table.split('\n').slice(2);
  const keysOf = (row: string) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)];
  const names = (chosen: readonly string[]) =>
    chosen.flatMap((row) => keysOf(row).map(([, key = '']) => key));
  const line = text.slice(0, match.index + whole.length).split('\n').length;
  return {
    kind,
    keys: names(rows),
    used: names(rows.filter((row) => !row.includes('*ignored*'))),
    example: examples.find((each) => each.line >= line)?.text ?? '',
  };
});

test('there is a table for each kind of object', () => {
  expect(described.map(({ kind }) => kind).sort()).toEqual(Object.keys(schemaKeys).sort());
});

describe.each(described)('the table of $kind', ({ kind, keys, used, example }) => {
  const property: readonly string[] = schemaKeys.property;
  const known = Object.entries(schemaKeys).find(([name]) => name === kind)?.[1] ?? [];
  const own = known.filter((key) => kind !== 'mappingProperty' || !property.includes(key));

  test('has the members that the loader accepts', () => {
    expect([...keys].sort()).toEqual([...own].sort());
  });

  test('is followed by an example with each of them', () => {
    expect(used.filter((key) => !new RegExp(`\\b${key}:`).test(example))).toEqual([]);
  });
});

test.each(examples)('the example in line $line loads', (example) => {
  expect(checkSchema(parse(example.text), {})).toEqual([]);
});
