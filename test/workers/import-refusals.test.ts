import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { northwindSchema } from '../engine/ddl/cases.js';
import { smallDocument } from './import-document.js';
import { openStage, schemaOf, type TestStage } from './import-stage.js';

let stage: TestStage;
let before: string;

beforeAll(async () => {
  stage = await openStage(northwindSchema());
  await stage.import(smallDocument);
  before = await stage.export();
});

afterAll(async () => {
  await stage.close();
});

/** Expects that the document is refused, and that nothing of it is stored. */
async function refused(document: unknown, problem: object): Promise<void> {
  await expect(stage.import(document)).rejects.toMatchObject({ problem });
  expect(await stage.export()).toBe(before);
}

const good = { entity: 'Shippers', rows: [{ id: 100, name: 'good' }] };

const shippers = '{"entities":[{"entity":"Shippers","rows":[';
const orders = (details: string) =>
  `{"entities":[{"entity":"Orders","rows":[{"customerId":"ÅSA","employeeId":1,"details":${details}}]}]}`;

describe('a document that is not one', () => {
  test.each([
    ['', undefined, 'not JSON'],
    ['   ', undefined, 'not JSON'],
    ['{', undefined, 'ends before'],
    ['{"entities"', undefined, 'ends before'],
    ['{"entities":[', 'entities', 'ends before'],
    [`${shippers}{"id":1,"name":"x"}`, 'entities[0].rows', 'ends before'],
    [`${shippers}{"id":1,"name":"x`, 'entities[0].rows[0]', 'ends before'],
    [`${shippers}{"id":1,,}]}]}`, 'entities[0].rows[0]', 'byte 42'],
    [`${shippers}{"id":1 "name":"x"}]}]}`, 'entities[0].rows[0]', 'byte 42'],
    [`${shippers}{"id":1,"name":"a"},{"id":01}]}]}`, 'entities[0].rows[1]', 'byte 61'],
    [`${shippers}{"id":1,"name":"a"},]}]}`, 'entities[0].rows[1]', 'byte 61'],
    [`${shippers}{"id":1,"name":"a"} {"id":2,"name":"b"}]}]}`, 'entities[0].rows[1]', 'byte 61'],
    [`${shippers},{"id":1,"name":"a"}]}]}`, 'entities[0].rows[0]', 'byte 42'],
    [`${shippers}{"id":1]]}]}`, 'entities[0].rows[0]', 'byte 42'],
    [`${shippers}{"id":+1}]}]}`, 'entities[0].rows[0]', 'byte 42'],
    [`${shippers}{"id":NaN}]}]}`, 'entities[0].rows[0]', 'byte 42'],
    [`${shippers}{"name":"a\nb"}]}]}`, 'entities[0].rows[0]', 'byte 42'],
    [`${shippers}{1:2}]}]}`, 'entities[0].rows[0]', 'byte 42'],
    [`${shippers}{"id":1}}}]}`, 'entities[0].rows[0].name', 'Cannot be null'],
    [`${shippers}]]]}`, 'entities[0]', 'not JSON'],
    ['{"entities":[{"entity":"Shippers" "rows":[]}]}', 'entities[0]', 'not JSON'],
    ['{"entities":[{"entity":"Shippers","rows":[]},]}', undefined, 'not JSON'],
    ['{"entities":[]}x', undefined, 'not JSON'],
    ['{"entities":[]}{}', undefined, 'not JSON'],
    ['{"entities":[]},', undefined, 'not JSON'],
    ['{"entities":[]}]', undefined, 'byte 15'],
    [`{"entities":${'['.repeat(200)}`, 'entities[0]', 'must be an object, not a list'],
    [`${shippers}{"id":${'['.repeat(200)}`, 'entities[0].rows[0]', 'deeper than 100 levels'],
    ['[]', undefined, "must be an object with 'entities', not a list"],
    ['null', undefined, 'not null'],
    ['"entities"', undefined, 'not a string'],
    ['17', undefined, 'not an integer'],
    ['{}', 'entities', "no 'entities'"],
    ['{"entities":{}}', 'entities', 'a list, not an object'],
    ['{"entities":null}', 'entities', 'a list, not null'],
    ['{"entity":[]}', 'entity', "'entity' is not known here"],
    ['{"entities":[],"entities":[]}', 'entities', 'twice'],
    ['{"values":"other","entities":[]}', 'values', 'can only be "stored"'],
    ['{"entities":[],"values":"stored"}', 'values', "before 'entities'"],
    ['{"entities":[1]}', 'entities[0]', 'an object, not an integer'],
    ['{"entities":[{}]}', 'entities[0].entity', "no 'entity'"],
    ['{"entities":[{"entity":"Shippers"}]}', 'entities[0].rows', "no 'rows'"],
    ['{"entities":[{"rows":[]}]}', 'entities[0].entity', "no 'entity'"],
    ['{"entities":[{"entity":7,"rows":[]}]}', 'entities[0].entity', 'not an integer'],
    ['{"entities":[{"entity":[]}]}', 'entities[0].entity', 'not a list'],
    ['{"entities":[{"entity":"Shippers","rows":{}}]}', 'entities[0].rows', 'a list, not an object'],
    ['{"entities":[{"entity":"Shippers","rows":null}]}', 'entities[0].rows', 'a list, not null'],
    [`${shippers}],"rows":[]}]}`, 'entities[0].rows', 'twice'],
    [`${shippers}],"entity":"Orders"}]}`, 'entities[0].entity', 'twice'],
    [`${shippers}7]}]}`, 'entities[0].rows[0]', 'not an integer'],
    [`${shippers}{"id":1,"name":"a"},[]]}]}`, 'entities[0].rows[1]', 'not a list'],
    ['{"entities":[{"entity":"Shippers","row":[]}]}', 'entities[0].row', "'row' is not known here"],
    [orders('{}'), 'entities[0].rows[0].details', 'a list of rows'],
    [orders('3'), 'entities[0].rows[0].details', 'a list of rows'],
    [orders('[3]'), 'entities[0].rows[0].details[0]', 'an object'],
  ])('is refused: %s', async (text, place, detail) => {
    const code = detail === 'Cannot be null' ? 'constraint-unmet' : 'import-malformed';
    const problem = { code, detail: expect.stringContaining(detail) };
    await refused(text, { ...problem, ...(place !== undefined && { place }) });
  });

  test.each([
    ['{"entities":[{"entity":"', '","rows":[]}]}', 'entities[0]'],
    [`${shippers}{"id":1,"name":"a"},{"id":2,"name":"`, '"}]}]}', 'entities[0].rows[1]'],
  ])('in bytes that are not UTF-8, after %s', (before, behind, place) =>
    refused([Buffer.from(before), Uint8Array.of(0xff), Buffer.from(behind)], {
      code: 'import-malformed',
      place,
    }),
  );

  test('with a row that is longer than 64 MiB', () => {
    const piece = Buffer.alloc(1 << 20, 'x');
    const pieces = Array.from({ length: 65 }, () => piece);
    const row = Buffer.from(`${shippers}{"id":1,"name":"`);
    return refused([row, ...pieces], {
      code: 'import-malformed',
      place: 'entities[0].rows[0]',
      detail: expect.stringContaining('64 MiB'),
    });
  });

  test('with more nested rows in one row than are read together', () => {
    const details = `[${'{"productId":1},'.repeat(200_000)}{"productId":1}]`;
    return refused(orders(details), {
      code: 'import-malformed',
      place: 'entities[0].rows[0].details',
      detail: expect.stringContaining('at most 200000 nested rows'),
    });
  });

  test('with more than 1 MiB around its rows', () =>
    refused(`{"entities":[${' '.repeat(1.1 * (1 << 20))}`, {
      code: 'import-malformed',
      place: 'entities',
    }));

  test('with too many rows before the name of their entity', async () => {
    const rows = `{"id":1,"name":"${'x'.repeat(70)}"},`.repeat(60_000);
    await refused(`{"entities":[{"rows":[${rows}`, {
      code: 'import-malformed',
      place: 'entities[0].rows',
    });
  });
});

const keyless = { customerId: 'ÅSA', employeeId: 1 };
const order = { id: 50, ...keyless };
const product = { name: 'x', supplierId: 1 };
const detail = { productId: 1 };

const TYPE = 'parameter-type';
const UNMET = 'constraint-unmet';
const TOO_LONG = 'value-too-long';
const INVALID = 'import-invalid';

/** The entity, the row, the place in the row, the code, and words of the message. */
const invalidRows: readonly (readonly [string, object, string, string, string])[] = [
  ['Shippers', { id: 1 }, '.name', UNMET, 'Cannot be null property name in entity Shippers'],
  ['Shippers', { id: 1, name: null }, '.name', UNMET, 'Cannot be null property name'],
  ['Shippers', { id: '1x', name: 'x' }, '.id', TYPE, 'takes an integer, but was given a string'],
  ['Shippers', { id: 1.5, name: 'x' }, '.id', TYPE, 'takes an integer, but was given a number'],
  ['Shippers', { id: 2147483648, name: 'x' }, '.id', 'value-out-of-range', 'out of the range'],
  ['Shippers', { id: 1e30, name: 'x' }, '.id', 'value-out-of-range', 'out of the range'],
  ['Shippers', { id: true, name: 'x' }, '.id', TYPE, 'was given a boolean'],
  ['Shippers', { id: {}, name: 'x' }, '.id', TYPE, 'was given an object'],
  ['Shippers', { id: [], name: 'x' }, '.id', TYPE, 'was given a list'],
  ['Shippers', { id: 1, name: 7 }, '.name', TYPE, 'takes a string'],
  ['Shippers', { id: 1, name: 'x'.repeat(81) }, '.name', TOO_LONG, 'too long for its column'],
  ['Shippers', { id: 1, name: '😀'.repeat(81) }, '.name', TOO_LONG, 'too long for its column'],
  ['Shippers', { id: 1, name: 'a\0b' }, '.name', TYPE, 'well-formed Unicode'],
  ['Shippers', { id: 1, name: '\ud800' }, '.name', TYPE, 'well-formed Unicode'],
  ['Customers', { name: 'x' }, '.id', UNMET, 'Cannot be null property id'],
  ['Customers', { id: 'ABCDEF', name: 'x' }, '.id', UNMET, 'Cannot be longer than 5'],
  ['Products', { ...product, price: 'much' }, '.price', TYPE, 'takes a decimal'],
  ['Products', { ...product, discontinued: 0 }, '.discontinued', TYPE, 'takes a boolean'],
  ['Products', { ...product, supplier: {} }, '.supplier', INVALID, "give its key as 'supplierId'"],
  ['Products', { ...product, supplier: null }, '.supplier', INVALID, 'leads to one row'],
  ['Orders', { ...order, orderDate: '1996-02-30T00:00:00Z' }, '.orderDate', TYPE, 'ISO 8601'],
  ['Orders', { ...order, orderDate: 822873600000 }, '.orderDate', TYPE, 'ISO 8601'],
  [
    'Orders',
    { ...order, orderDate: '+300000-01-01T00:00:00Z' },
    '.orderDate',
    'value-out-of-range',
    'A date is outside the range',
  ],
  ['Orders', { ...order, requiredDate: '31/12/1996' }, '.requiredDate', TYPE, 'ISO 8601 date'],
  [
    'Orders',
    { ...order, details: [detail, { quantity: 1 }] },
    '.details[1].productId',
    UNMET,
    'Cannot be null',
  ],
  [
    'Orders',
    { ...order, details: [{ ...detail, quantity: 'x' }] },
    '.details[0].quantity',
    TYPE,
    'decimal',
  ],
  [
    'Orders',
    { ...order, details: [{ ...detail, orderId: 51 }] },
    '.details[0].orderId',
    INVALID,
    "differs from the 'id'",
  ],
  [
    'Orders',
    { details: [detail, { ...detail, orderId: 51 }], ...order },
    '.details[1].orderId',
    INVALID,
    "differs from the 'id'",
  ],
  [
    'Orders',
    {
      ...keyless,
      details: [
        { ...detail, orderId: 5 },
        { ...detail, orderId: 6 },
      ],
    },
    '.details[1].orderId',
    INVALID,
    'differs',
  ],
  [
    'Orders',
    { ...order, details: [{ ...detail, order: {} }] },
    '.details[0].order',
    INVALID,
    'leads to one row',
  ],
];

describe('a row that the schema does not allow', () => {
  test.each(invalidRows)('of %s: %j', async (entity, row, where, code, words) => {
    const rows = [{ entity, rows: [row] }];
    const problem = { code, detail: expect.stringContaining(words) };
    await refused(
      { entities: [good, ...rows] },
      { ...problem, place: `entities[1].rows[0]${where}` },
    );
  });

  test('is reported with its number, also after many that have already been sent', async () => {
    const rows = Array.from({ length: 40_000 }, (_, id) => ({ id: 1000 + id, name: `s${id}` }));
    const bad = { entity: 'Shippers', rows: [...rows, { id: 'x' }] };
    await refused({ entities: [bad] }, { place: 'entities[0].rows[40000].id' });
  });

  test('is reported with a suggestion', async () => {
    await refused(
      { entities: [{ entity: 'Shipers', rows: [] }] },
      {
        code: 'import-invalid',
        place: 'entities[0].entity',
        hint: "Did you mean 'Shippers'?",
      },
    );
  });

  test('is reported with all its errors', () =>
    refused(
      { entities: [{ entity: 'Shippers', rows: [{ id: 'x', name: 7 }] }] },
      {
        code: TYPE,
        errors: [
          { place: 'entities[0].rows[0].id', message: expect.stringContaining('an integer') },
          { place: 'entities[0].rows[0].name', message: expect.stringContaining('a string') },
        ],
      },
    ));
});

describe('an error that the database finds', () => {
  test.each([
    [
      'Shippers',
      [{ id: 7, name: 'other' }],
      'unique-violation',
      'Shippers has the same value in id',
    ],
    [
      'Shippers',
      [{ id: 8, name: 'Swift' }],
      'unique-violation',
      'Shippers has the same value in name',
    ],
    [
      'Shippers',
      [
        { id: 8, name: 'a' },
        { id: 8, name: 'b' },
      ],
      'unique-violation',
      'same value in id',
    ],
    [
      'Employees',
      [{ lastName: 'Ek', firstName: 'Bo' }],
      'unique-violation',
      'in lastName, firstName',
    ],
    [
      'Products',
      [{ name: 'x', supplierId: 77 }],
      'foreign-key-violation',
      'Products refers to one that does not exist in supplierId',
    ],
    [
      'Employees',
      [{ lastName: 'a', firstName: 'b', reportsToId: 99 }],
      'foreign-key-violation',
      'in reportsToId',
    ],
    [
      'Orders',
      [{ ...order, details: [{ productId: 99 }] }],
      'foreign-key-violation',
      'Orders.details refers to one that does not exist in productId',
    ],
    [
      'Orders.details',
      [{ orderId: 10, productId: 1 }],
      'unique-violation',
      'in orderId, productId',
    ],
  ])('in %s %j is %s', async (entity, rows, code, words) => {
    const detail = expect.stringContaining(words);
    await refused({ entities: [good, { entity, rows }] }, { code, detail });
  });

  test('in a column that is narrower than in the schema names the row and the property', async () => {
    await stage.sql('ALTER TABLE Shippers ALTER CompanyName TYPE varchar(10)');
    const rows = [{ name: 'short' }, { name: 'a long name' }];
    await refused(
      { entities: [{ entity: 'Shippers', rows }] },
      {
        code: 'value-too-long',
        detail: 'A value is too long for its column.',
        place: 'entities[0].rows[1].name',
      },
    );
  });
});

describe('a nested row without a key, from which the schema computes another value', () => {
  const schema = schemaOf(`
entities:
  - name: Makers
    primaryKey: [id]
    properties: [{ name: id, type: integer, autoIncrement: true }, { name: name }]
  - name: Parts
    primaryKey: [id]
    properties:
      - { name: id, type: integer, autoIncrement: true }
      - { name: makerId, type: integer }
      - { name: code, default: 'concat(toString(makerId), "-", name)' }
      - { name: name }
    relations: [{ name: maker, from: makerId, entity: Makers, to: id, target: parts }]`);

  const makers = (maker: object) => ({ entities: [{ entity: 'Makers', rows: [maker] }] });

  test('is refused if the key is still to be generated, and computed if it is known', async () => {
    const own = await openStage(schema);
    const parts = [{ name: 'x' }];
    await expect(own.import(makers({ name: 'a', parts }))).rejects.toMatchObject({
      problem: { place: 'entities[0].rows[0].parts[0].makerId' },
    });
    await own.import(makers({ id: 7, name: 'a', parts }));
    expect(await own.sql('SELECT makerid, code FROM Parts')).toEqual([{ makerid: 7, code: '7-x' }]);
    await own.close();
  });
});
