/** Properties of kinds that the sample domain does not have: enums, lists, JSON, and what is read-only. */
import { expect, expectTypeOf, test } from 'vitest';
import {
  at,
  contains,
  createClient,
  eq,
  isIn,
  length,
  type NewRow,
  type Row,
  toNumber,
} from '../../clients/typescript/src/index.js';

interface Domain {
  Items: {
    key: 'id';
    properties: {
      id: { type: 'uuid'; optional: true };
      status: { type: 'string'; values: 'open' | 'closed' };
      level: { type: 'integer'; values: 1 | 2; nullable: true };
      tags: { type: 'string[]'; nullable: true };
      doc: { type: 'json'; nullable: true };
      ratio: { type: 'number' };
      made: { type: 'dateTime'; readOnly: true };
      amount: { type: 'decimal' };
    };
    relations: {
      groups: { entity: 'Groups'; many: true; from: 'id'; to: 'id'; readOnly: true };
    };
  };
  Groups: {
    key: 'id';
    readOnly: true;
    properties: { id: { type: 'integer' } };
    relations: {};
  };
}

const db = createClient<Domain>({ url: 'http://127.0.0.1:9' });

test('rows have the values of their kinds', () => {
  expectTypeOf<Row<Domain, 'Items'>>().toEqualTypeOf<{
    id: string;
    status: 'open' | 'closed';
    level: 1 | 2 | null;
    tags: readonly (string | null)[] | null;
    doc: unknown;
    ratio: number;
    made: string;
    amount: number;
  }>();
  expectTypeOf<Row<Domain, 'Items', 'exact'>>().toEqualTypeOf<{
    id: string;
    status: 'open' | 'closed';
    level: bigint | null;
    tags: readonly (string | null)[] | null;
    doc: unknown;
    ratio: number;
    made: string;
    amount: `${number}`;
  }>();
  expectTypeOf<keyof NewRow<Domain, 'Items'>>().toEqualTypeOf<
    'id' | 'status' | 'level' | 'tags' | 'doc' | 'ratio' | 'amount'
  >();
});

test('enums are compared with their values only', () => {
  const query = db.Items.filter((i) => isIn(i.status, ['open', 'closed'])).filter((i) =>
    eq(i.status, 'open'),
  );
  expect(query.query).toBe('Items.filter(a=>in(a.status,$1)).filter(a=>(a.status==$2))');
  // @ts-expect-error: this is not a value of the enum.
  db.Items.filter((i) => eq(i.status, 'opne'));
  // @ts-expect-error: nor this.
  db.Items.insert({ status: 'opne', ratio: 1, amount: 1 });
});

test('lists have items and a length, and JSON has members', () => {
  const query = db.Items.filter((i) => contains(i.tags, 'new')).map((i) => ({
    first: at(i.tags, 0),
    tags: length(i.tags),
    size: toNumber(at(i.doc, 'size')),
    odd: at(i.doc, 'a b', 'list', 0),
  }));
  expectTypeOf<Awaited<ReturnType<typeof query.run>>[number]>().toEqualTypeOf<{
    first: string | null;
    tags: number | null;
    size: number | null;
    odd: unknown;
  }>();
  expect(query.query).toBe(
    'Items.filter(a=>contains(a.tags,$1)).map(a=>({first:a.tags[0],tags:length(a.tags),' +
      'size:toNumber(a.doc.size),odd:a.doc["a b"].list[0]}))',
  );
});

test('read-only members cannot be written', () => {
  // @ts-expect-error: the entity is read-only.
  expect(db.Groups.insert).toBeTypeOf('function');
  // @ts-expect-error: the property is read-only.
  db.Items.filter((i) => eq(i.ratio, 1)).update({ made: '2026-01-01' });
  // @ts-expect-error: so is the relation.
  db.Items.include((i) => i.groups).insert({ status: 'open', ratio: 1, amount: 1, groups: [] });
  expect(db.Items.filter((i) => eq(i.ratio, 1)).update({ amount: '1.5' }).query).toBe(
    'Items.update(row).filter(a=>(a.ratio==$1))',
  );
});
