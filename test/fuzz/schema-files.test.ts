/**
 * Whatever a schema file contains, it loads, or is refused with the places of its errors: never another
 * error, and never slowly.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { checkSchema, createCatalog, EngineError, loadSchema } from '../../src/engine/index.js';
import { readSchemaFile } from '../../src/project/schema-file.js';
import { lambdaormDocument } from '../engine/schema/lambdaorm-file.js';
import { northwindDocument } from '../engine/schema/northwind.js';
import { thrownBy } from '../engine/language/thrown-by.js';
import { fuzz } from './inputs.js';
import { changeText, changeTree, nestedLists, oddValues } from './mutate.js';

const documents = [northwindDocument({ DATABASE_URL: 'postgresql://x/y' }), lambdaormDocument()];
const sample = readFileSync(new URL('../../schemas/northwind.yaml', import.meta.url), 'utf8');
const shop = lambdaormDocument();
const texts = [JSON.stringify(shop), JSON.stringify(shop, null, 2), stringify(shop)];
const environment = { DATABASE_URL: 'postgresql://x/y', EMPTY: '' };

const odd = [
  ...oddValues,
  ...'Orders|Orders.details|Users|integer|string[]|oneToMany|manyToOne|now()|lower(name)'.split(
    '|',
  ),
  ...'id > 0|id ==|${x|$EMPTY|${NONE}|${NONE:-1}|max|1.0.0|PostgreSQL|MariaDB|default'.split('|'),
  ...'action == "select"|p=>p.id|"|id.id.id|a.b.c.d'.split('|'),
];
const pieces = [
  ...'{}[]:,-#&*!|>\'"%@` \n\t\0\u0085\ufeff?<0~',
  ...'\n  ;\n- ;: ;? ;&a ;*a;<<: *a;&e [*e];&m {<<: *m};!!js/function ;!!binary ;---\n;0x;.inf'.split(
    ';',
  ),
  ...'name;entities:;extends: Orders;null;[[[[;{{{{;%YAML 9.9\n;"__proto__":{"polluted":true},'.split(
    ';',
  ),
  ...['__proto__: {polluted: true}', nestedLists(150), nestedLists(5000), '['.repeat(2000)],
];

const folder = mkdtempSync(join(tmpdir(), 'rowgate-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkUnpolluted(): void {
  const names: string[] = [];
  for (const name in {}) names.push(name);
  expect([names, Reflect.get({}, 'polluted')]).toEqual([[], undefined]);
}

async function checkText(text: string): Promise<unknown> {
  const path = join(folder, 'schema.yaml');
  writeFileSync(path, text);
  const error = await readSchemaFile(path, environment).catch((reason: unknown) => reason);
  if (error instanceof Error) {
    expect(error).toBeInstanceOf(EngineError);
    expect(error.message).toMatch(/^.*schema\.yaml:\d+:\d+: /);
  }
  checkUnpolluted();
  return error;
}

/** Texts that have exhausted the stack, with the position and the end of the error. */
const fixed: Readonly<Record<string, readonly [text: string, error: string]>> = {
  'contains itself': ['domain: &a {entities: [*a]}', '1:1: domain: … or contains itself.'],
  'contains itself by a merge': ['a: &a {<<: *a}', '1:1: Excessive alias count … attack'],
  'has nested lists': [nestedLists(5000), '1:201: … deeper than 200 levels.'],
  'has nested blocks': ['- '.repeat(5000), '1:400: … deeper than 200 levels.'],
  'has nested lists below': [`a: 1\nb: ${nestedLists(5000)}`, '2:203: … deeper than 200 levels.'],
  'is nested by aliases': [
    `a: &a ${nestedLists(90)}\nb: [${nestedLists(90).replace('[]', '[*a]')}]`,
    '2:1: b: … or contains itself.',
  ],
};

test.each(Object.keys(fixed))('a file that %s is refused', async (name) => {
  const [text = '', error = ''] = fixed[name] ?? [];
  const [start = '', end = ''] = error.split('…');
  const { message } = Object(await checkText(text));
  expect(message).toContain(`schema.yaml:${start}`);
  expect(message.endsWith(end)).toBe(true);
});

fuzz('changed trees', {
  usual: 500,
  make: (random) => changeTree(random, random.pick(documents), odd),
  check: (document) => {
    const problems = checkSchema(document, environment);
    for (const { code, detail, place } of problems) {
      expect([code, typeof detail]).toEqual(['schema-invalid', 'string']);
      // The whole document has no place.
      if (isObject(document)) expect(place).toBeTypeOf('string');
    }
    thrownBy(() => createCatalog(loadSchema(document)));
    checkUnpolluted();
  },
});

fuzz('changed texts', {
  usual: 500,
  make: (random) => changeText(random, random.chance(0.05) ? sample : random.pick(texts), pieces),
  check: async (text) => {
    await checkText(text);
  },
});
