/**
 * `rowgate types`: the types of the sample domain, and of a domain with everything that types can
 * express.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { domainTypes } from '../../src/cli/domain-types.js';
import { createCatalog, describeDomain, loadSchema } from '../../src/engine/index.js';

const program = fileURLToPath(new URL('../../dist/program/rowgate.js', import.meta.url));
const written = fileURLToPath(new URL('domain.ts', import.meta.url));

const run = promisify(execFile);

test('the types of the sample domain are those that the other tests use', async () => {
  const { stdout } = await run(process.execPath, [program, 'types']);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(written, stdout);
  expect(stdout).toBe(readFileSync(written, 'utf8'));
});

test('enums, read-only members, defaults, names and descriptions are written', () => {
  const domain = {
    version: '1.0.0',
    enums: [
      {
        name: 'Colors',
        values: [
          { name: 'red', value: 'r' },
          { name: "it's", value: 2 },
        ],
      },
    ],
    entities: [
      {
        name: 'Things',
        description: 'What\n is sold */',
        primaryKey: ['id', 'part'],
        properties: [
          { name: 'id', type: 'uuid', databaseDefault: true },
          { name: 'part', type: 'integer' },
          { name: 'color', enum: 'Colors', required: true },
          { name: 'tags', type: 'string[]' },
          { name: 'stock', type: 'decimal', required: true, default: 0 },
          { name: 'full', readOnly: true, readExp: 'concat(part, id)' },
          { name: 'ownerId', type: 'integer' },
        ],
        relations: [
          {
            name: 'owner',
            type: 'oneToOne',
            from: 'ownerId',
            entity: 'Shop.owners',
            to: 'id',
            target: 'thing',
          },
        ],
      },
      {
        name: 'Shop.owners',
        readOnly: true,
        primaryKey: ['id'],
        properties: [{ name: 'id', type: 'integer' }],
      },
    ],
  };
  expect(typesOf(domain)).toMatchInlineSnapshot(`
    "/** The types of a domain for \`@rowgate/client\`. Written by \`rowgate types\`: do not edit. */
    export interface Domain {
      /** What is sold *∕ */
      Things: {
        key: 'id' | 'part';
        properties: {
          id: { type: 'uuid'; optional: true };
          part: { type: 'integer' };
          color: { type: 'string'; values: "r" | 2 };
          tags: { type: 'string[]'; nullable: true };
          stock: { type: 'decimal'; optional: true };
          full: { type: 'string'; nullable: true; readOnly: true };
          ownerId: { type: 'integer'; nullable: true };
        };
        relations: {
          owner: { entity: 'Shop.owners'; nullable: true; from: 'ownerId'; to: 'id' };
        };
      };
      'Shop.owners': {
        key: 'id';
        readOnly: true;
        properties: {
          id: { type: 'integer' };
        };
        relations: {
          thing: { entity: 'Things'; nullable: true; from: 'id'; to: 'ownerId' };
        };
      };
    }
    "
  `);
});

test('a number that the database generates is never null', () => {
  const text = typesOf({
    version: '1.0.0',
    entities: [
      {
        name: 'Things',
        properties: [{ name: 'number', type: 'integer', required: true, autoIncrement: true }],
      },
    ],
  });
  expect(text).toContain("number: { type: 'integer'; optional: true };");
});

test('a relation to one row may lead to none if its key is not enforced', () => {
  const pair = (name: string) => [
    { name: 'id', type: 'integer' },
    { name, type: 'integer', required: true },
  ];
  const one = { type: 'oneToMany', entity: 'Owners', to: 'id' };
  const text = typesOf({
    version: '1.0.0',
    entities: [
      {
        name: 'Things',
        primaryKey: ['id'],
        properties: [...pair('ownerId'), { name: 'makerId', type: 'integer', required: true }],
        relations: [
          { ...one, name: 'owner', from: 'ownerId', target: 'things', weak: true },
          { ...one, name: 'maker', from: 'makerId' },
        ],
      },
      {
        name: 'Owners',
        primaryKey: ['id'],
        properties: pair('age'),
        relations: [
          {
            name: 'pets',
            type: 'manyToOne',
            from: 'id',
            entity: 'Pets',
            to: 'ownerId',
            target: 'owner',
          },
        ],
      },
      { name: 'Pets', primaryKey: ['id'], properties: pair('ownerId') },
    ],
  });
  expect(text.match(/(owner|maker): \{.*/g)).toEqual([
    "owner: { entity: 'Owners'; nullable: true; from: 'ownerId'; to: 'id' };",
    "maker: { entity: 'Owners'; from: 'makerId'; to: 'id' };",
    "owner: { entity: 'Owners'; from: 'ownerId'; to: 'id' };",
  ]);
});

function typesOf(domain: object): string {
  const mappings = [{ name: 'default' }];
  const sources = [{ name: 'default', dialect: 'PostgreSQL', mapping: 'default', connection: {} }];
  const stages = [{ name: 'default', sources: [{ name: 'default' }] }];
  const schema = loadSchema({ domain, infrastructure: { mappings, sources, stages } });
  return domainTypes(describeDomain(createCatalog(schema)));
}

test('a row that has the key of a relation may be absent', () => {
  const id = { name: 'id', type: 'integer', required: true };
  const userId = { name: 'userId', type: 'integer', required: true };
  const ends = { type: 'oneToOne', from: 'id', entity: 'Profiles', to: 'userId' };
  const domain = {
    version: '1.0.0',
    entities: [
      {
        name: 'Users',
        primaryKey: ['id'],
        properties: [id],
        relations: [{ name: 'profile', ...ends }],
      },
      { name: 'Profiles', primaryKey: ['id'], uniqueKey: ['userId'], properties: [id, userId] },
    ],
  };
  expect(typesOf(domain)).toContain("profile: { entity: 'Profiles'; nullable: true;");
});
