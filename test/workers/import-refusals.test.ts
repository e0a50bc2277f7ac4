import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { northwindSchema } from '../engine/ddl/cases.js';
import { startTestCluster, type TestCluster } from '../support/embedded.js';
import { smallDocument } from './import-document.js';
import { openStage, type TestStage } from './import-stage.js';

let cluster: TestCluster;
let stage: TestStage;
let before: string;

beforeAll(async () => {
  cluster = await startTestCluster();
  stage = await openStage(cluster, northwindSchema());
  await stage.import(smallDocument);
  before = await stage.export();
});

afterAll(async () => {
  await stage.close();
  await cluster.stop();
});

/** Expects that the document is refused, and that nothing of it is stored. */
async function refused(document: unknown, problem: object): Promise<void> {
  await expect(stage.import(document)).rejects.toMatchObject({ problem });
  expect(await stage.export()).toBe(before);
}

const good = { entity: 'Shippers', rows: [{ id: 100, name: 'good' }] };

describe('a document that is not one', () => {
  test.each([
    ['', undefined, 'ends before'],
    ['   ', undefined, 'ends before'],
    ['{', undefined, 'ends before'],
    ['{"entities"', undefined, 'ends before'],
    ['{"entities":[', 'entities[0]', 'ends before'],
    [
      '{"entities":[{"entity":"Shippers","rows":[{"id":1,"name":"x"}',
      'entities[0].rows[0]',
      'ends',
    ],
    ['{"entities":[{"entity":"Shippers","rows":[{"id":1,"name":"x', 'entities[0].rows[0]', 'ends'],
    ['{"entities":[{"entity":"Shippers","rows":[{"id":1,,', 'entities[0].rows[0]', 'byte 50'],
    ['{"entities":[{"entity":"Shippers","rows":[{"id":1 "name"', 'entities[0].rows[0]', 'byte 50'],
    ['{"entities":[{"entity":"Shippers","rows":[{"id":01}', 'entities[0].rows[0]', 'byte 49'],
    ['{"entities":[{"entity":"Shippers","rows":[{"id":1},]', 'entities[0].rows[0]', 'is missing'],
    ['{"entities":[{"entity":"Shippers","rows":[{"id":1]', 'entities[0].rows[0]', 'byte 49'],
    ['{"entities":[{"entity":"Shippers","rows":[{"id":+1', 'entities[0].rows[0]', 'byte 48'],
    ['{"entities":[{"entity":"Shippers","rows":[{"id":NaN', 'entities[0].rows[0]', 'byte 48'],
    ['{"entities":[{"entity":"Shippers","rows":[{"name":"a\nb"', 'entities[0].rows[0]', 'byte 52'],
    ['{"entities":[{"entity":"Shippers","rows":[{1:2}]}]}', 'entities[0].rows[0]', 'byte 43'],
    ['{"entities":[]}x', undefined, 'byte 15'],
    ['{"entities":[]}{}', undefined, 'byte 15'],
    ['{"entities":[]},', undefined, 'byte 15'],
    [`{"entities":${'['.repeat(200)}`, 'entities[0]', 'must be an object, not a list'],
    ['[]', undefined, "must be an object with 'entities', not a list"],
    ['null', undefined, 'not null'],
    ['"entities"', undefined, 'not a string'],
    ['17', undefined, 'not an integer'],
    ['{}', 'entities', "no 'entities'"],
    ['{"entities":{}}', 'entities', 'a list, not an object'],
    ['{"entities":null}', 'entities', 'a list, not null'],
    ['{"entity":[]}', 'entity', "no 'entity' here"],
    ['{"entities":[],"entities":[]}', 'entities', 'twice'],
    ['{"entities":[1]}', 'entities[0]', 'an object, not an integer'],
    ['{"entities":[{}]}', 'entities[0].entity', "no 'entity'"],
    ['{"entities":[{"entity":"Shippers"}]}', 'entities[0].rows', "no 'rows'"],
    ['{"entities":[{"rows":[]}]}', 'entities[0].entity', "no 'entity'"],
    ['{"entities":[{"entity":7,"rows":[]}]}', 'entities[0].entity', 'not an integer'],
    ['{"entities":[{"entity":"Shippers","rows":{}}]}', 'entities[0].rows', 'a list, not an object'],
    ['{"entities":[{"entity":"Shippers","rows":null}]}', 'entities[0].rows', 'a list, not null'],
    ['{"entities":[{"entity":"Shippers","rows":[7]}]}', 'entities[0].rows[0]', 'not an integer'],
    [
      '{"entities":[{"entity":"Shippers","rows":[{"id":1,"name":"a"},[]]}]}',
      'entities[0].rows[1]',
      'not a list',
    ],
    ['{"entities":[{"entity":"Shippers","row":[]}]}', 'entities[0].row', "no 'row' here"],
    [
      '{"entities":[{"entity":"Orders","rows":[{"details":{}}]}]}',
      'entities[0].rows[0].details',
      'a list of rows',
    ],
    [
      '{"entities":[{"entity":"Orders","rows":[{"details":null}]}]}',
      'entities[0].rows[0].details',
      'a list of rows',
    ],
    [
      '{"entities":[{"entity":"Orders","rows":[{"details":[3]}]}]}',
      'entities[0].rows[0].details[0]',
      'an object',
    ],
  ])('is refused: %s', async (text, place, detail) => {
    const problem = { code: 'import-malformed', detail: expect.stringContaining(detail) };
    const code = detail === 'is missing' ? 'import-invalid' : 'import-malformed';
    const at = detail === 'is missing' ? `${place}.name` : place;
    await refused(text, { ...problem, code, ...(at !== undefined && { place: at }) });
  });

  test('in bytes that are no UTF-8', () =>
    refused([Buffer.from('{"entities":[{"entity":"'), Uint8Array.of(0xff, 0x22)], {
      code: 'import-malformed',
      place: 'entities[0]',
    }));

  test('with more rows before the name of their entity than are kept', async () => {
    const rows = `{"id":1,"name":"${'x'.repeat(70)}"},`.repeat(60_000);
    await refused(`{"entities":[{"rows":[${rows}`, {
      code: 'import-malformed',
      place: 'entities[0].rows',
    });
  });
});

const order = { id: 50, customerId: 'ÅSA', employeeId: 1 };
const detail = { productId: 1 };

/** Entity, row, where in the row, and words of the sentence. */
const invalidRows: readonly (readonly [string, object, string, string])[] = [
  ['Shippers', { id: 1, nmae: 'x' }, '.nmae', "no property or relation 'nmae' in 'Shippers'"],
  ['Shippers', { id: 1 }, '.name', "'name' is required, and is missing"],
  ['Shippers', { id: 1, name: null }, '.name', 'was given null'],
  ['Shippers', { id: '1x', name: 'x' }, '.id', 'takes an integer, and was given a string'],
  ['Shippers', { id: 1.5, name: 'x' }, '.id', 'takes an integer, and was given a number'],
  ['Shippers', { id: 2147483648, name: 'x' }, '.id', 'an integer of 32 bits'],
  ['Shippers', { id: 1e30, name: 'x' }, '.id', 'takes an integer'],
  ['Shippers', { id: true, name: 'x' }, '.id', 'was given a boolean'],
  ['Shippers', { id: {}, name: 'x' }, '.id', 'was given an object'],
  ['Shippers', { id: [], name: 'x' }, '.id', 'was given a list'],
  ['Shippers', { id: 1, name: 7 }, '.name', 'takes a string'],
  ['Shippers', { id: 1, name: 'x'.repeat(81) }, '.name', 'at most 80 characters, and was given 81'],
  ['Shippers', { id: 1, name: '😀'.repeat(81) }, '.name', 'was given 81'],
  ['Shippers', { id: 1, name: 'a\0b' }, '.name', 'well-formed Unicode'],
  ['Shippers', { id: 1, name: '\ud800' }, '.name', 'well-formed Unicode'],
  ['Customers', { name: 'x' }, '.id', "'id' is required"],
  ['Customers', { id: 'ABCDEF', name: 'x' }, '.id', 'at most 5 characters'],
  ['Products', { name: 'x', supplierId: 1, price: 'much' }, '.price', 'takes a decimal'],
  ['Products', { name: 'x', supplierId: 1, discontinued: 0 }, '.discontinued', 'takes a boolean'],
  [
    'Products',
    { name: 'x', supplierId: 1, supplier: { id: 1 } },
    '.supplier',
    "give its key as 'supplierId'",
  ],
  ['Products', { name: 'x', supplierId: 1, supplier: null }, '.supplier', 'leads to one row'],
  [
    'Orders',
    { ...order, orderDate: '1996-02-30T00:00:00Z' },
    '.orderDate',
    'ISO 8601 date and time',
  ],
  ['Orders', { ...order, orderDate: 822873600000 }, '.orderDate', 'ISO 8601 date and time'],
  ['Orders', { ...order, requiredDate: '31/12/1996' }, '.requiredDate', 'ISO 8601 date'],
  [
    'Orders',
    { ...order, details: [detail, { quantity: 1 }] },
    '.details[1].productId',
    'is missing',
  ],
  [
    'Orders',
    { ...order, details: [{ ...detail, quantity: 'x' }] },
    '.details[0].quantity',
    'decimal',
  ],
  [
    'Orders',
    { ...order, details: [{ ...detail, orderId: 51 }] },
    '.details[0].orderId',
    "differs from the 'id'",
  ],
  [
    'Orders',
    { details: [detail, { ...detail, orderId: 51 }], ...order },
    '.details[1].orderId',
    "differs from the 'id'",
  ],
  [
    'Orders',
    {
      details: [
        { ...detail, orderId: 5 },
        { ...detail, orderId: 6 },
      ],
    },
    '.details[1].orderId',
    'differs',
  ],
  [
    'Orders',
    { ...order, details: [{ ...detail, order: {} }] },
    '.details[0].order',
    'leads to one row',
  ],
  ['Orders', { ...order, detials: [] }, '.detials', "'detials'"],
];

describe('a row that the schema does not allow', () => {
  test.each(invalidRows)('of %s: %j', async (entity, row, where, words) => {
    const rows = [{ entity, rows: [row] }];
    const problem = { code: 'import-invalid', detail: expect.stringContaining(words) };
    await refused(
      { entities: [good, ...rows] },
      { ...problem, place: `entities[1].rows[0]${where}` },
    );
  });

  test('is told with its number, also behind many that are sent already', async () => {
    const rows = Array.from({ length: 40_000 }, (_, id) => ({ id: 1000 + id, name: `s${id}` }));
    const bad = { entity: 'Shippers', rows: [...rows, { id: 'x' }] };
    await refused({ entities: [bad] }, { place: 'entities[0].rows[40000].id' });
  });

  test('is told with what may have been meant', async () => {
    await refused(
      { entities: [{ entity: 'Shipers', rows: [] }] },
      {
        code: 'import-invalid',
        place: 'entities[0].entity',
        hint: "Did you mean 'Shippers'?",
      },
    );
    await refused(
      { entities: [{ entity: 'Shippers', rows: [{ nmae: 1 }] }] },
      {
        hint: "Did you mean 'name'?",
      },
    );
  });

  test('is refused when it gives a property twice', () =>
    refused('{"entities":[{"entity":"Shippers","rows":[{"name":"a","id":1,"name":"b"}]}]}', {
      code: 'import-invalid',
      place: 'entities[0].rows[0].name',
    }));
});

describe('what the database finds', () => {
  test.each([
    [
      'Shippers',
      [{ id: 7, name: 'other' }],
      'unique-violation',
      "of 'Shippers' would have the same 'id'",
    ],
    [
      'Shippers',
      [{ id: 8, name: 'Swift' }],
      'unique-violation',
      "of 'Shippers' would have the same 'name'",
    ],
    [
      'Shippers',
      [
        { id: 8, name: 'a' },
        { id: 8, name: 'b' },
      ],
      'unique-violation',
      "same 'id'",
    ],
    [
      'Employees',
      [{ lastName: 'Ek', firstName: 'Bo' }],
      'unique-violation',
      "'lastName', 'firstName'",
    ],
    [
      'Products',
      [{ name: 'x', supplierId: 77 }],
      'foreign-key-violation',
      "'Products' refers by 'supplierId'",
    ],
    [
      'Employees',
      [{ lastName: 'a', firstName: 'b', reportsToId: 99 }],
      'foreign-key-violation',
      "'reportsToId'",
    ],
    [
      'Orders',
      [{ ...order, details: [{ productId: 99 }] }],
      'foreign-key-violation',
      "'Orders.details' refers by 'productId'",
    ],
    [
      'Orders.details',
      [{ orderId: 10, productId: 1 }],
      'unique-violation',
      "'orderId', 'productId'",
    ],
  ])('in %s %j is %s', async (entity, rows, code, words) => {
    const detail = expect.stringContaining(words);
    await refused({ entities: [good, { entity, rows }] }, { code, detail });
  });

  test('in a column that is narrower than the schema names the property', async () => {
    await stage.sql('ALTER TABLE Shippers ALTER CompanyName TYPE varchar(10)');
    await refused(
      { entities: [{ entity: 'Shippers', rows: [{ name: 'a long name' }] }] },
      {
        code: 'value-too-long',
        detail: "A row of 'Shippers' has a text in 'name' that its column cannot hold.",
      },
    );
  });
});
