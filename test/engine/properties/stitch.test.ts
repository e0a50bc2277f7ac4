/** Attaching included rows gives the same result as a nested loop join. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  collectByteKeys,
  demultiplexChildren,
  type FetchedBytes,
  type Fields,
  invariant,
  type StatementPlan,
} from '../../../src/engine/index.js';
import '../../support/fixed-seed.js';
import { decode, rowBytes, rowTexts } from '../byte-rows.js';
import { catalogs, planOf } from '../golden/plans.js';
import { northwind } from '../schema/northwind.js';

type Row = Readonly<Record<string, string | null>>;
type Tables = Readonly<Record<string, readonly Row[]>>;

const query = `Orders.map(p=>[p.id,p.customerId]).include(p=>[
  p.details.map(d=>[d.orderId,d.productId]).include(d=>d.product.map(x=>[x.id,x.categoryId])
    .include(x=>[x.category.map(c=>c.id),x.orderDetails.map(o=>o.orderId)])),
  p.customer.map(c=>c.id),
  p.employee.map(e=>[e.id,e.reportsToId]).include(e=>[e.reportsTo.map(f=>f.id),e.orders.map(o=>o.id)])])`;

// A small set of keys, so that parents share children, with null and keys that no row has.
const key = fc.constantFrom('1', '2', '3', "x'y");
const reference = fc.oneof(key, fc.constant(null), fc.constant('99'));
const tables: fc.Arbitrary<Tables> = fc.record({
  Orders: rows({ id: key, customerId: reference, employeeId: reference }, []),
  'Orders.details': rows({ orderId: reference, productId: reference }, []),
  Products: rows({ id: key, categoryId: reference }, ['id']),
  Categories: rows({ id: key }, ['id']),
  Customers: rows({ id: key }, ['id']),
  Employees: rows({ id: key, reportsToId: reference }, ['id']),
});

test('included rows are those that a join returns', () => {
  const { root } = planOf(catalogs.postgresql, query).plan;
  fc.assert(
    fc.property(tables, (all) => {
      const fetched = fetchRows(root, all['Orders'] ?? [], all);
      const stitched = rowTexts(root, fetched).map((text): unknown => JSON.parse(text));
      expect(stitched).toEqual((all['Orders'] ?? []).map((row) => join(root, row, all)));
    }),
    { numRuns: 500 },
  );
});

test('a row is requested once, however many parents share it', () => {
  const { root } = planOf(catalogs.postgresql, query).plan;
  fc.assert(
    fc.property(tables, (all) => {
      const parents = (all['Orders'] ?? []).map((row) => fieldsOf(root, row, undefined));
      for (const include of root.includes) {
        const keys = collectByteKeys(include, rowBytes(parents), decode);
        const wanted = parents.map((fields) => fields[include.parentKeyColumn]);
        expect(new Set(keys)).toEqual(new Set(wanted.filter((each) => each !== null)));
        expect(new Set(keys).size).toBe(keys.length);
      }
    }),
  );
});

/** Rows of a table. The values of a primary key are unique. */
function rows(columns: Record<string, fc.Arbitrary<string | null>>, unique: readonly string[]) {
  const [selector] = unique;
  const row: fc.Arbitrary<Row> = fc.record(columns);
  return selector === undefined
    ? fc.array(row, { maxLength: 8 })
    : fc.uniqueArray(row, { maxLength: 8, selector: (each) => each[selector] });
}

/** Fetches rows as a worker does: one lookup per statement, for all parents together. */
function fetchRows(
  statement: StatementPlan,
  found: readonly Row[],
  all: Tables,
  parentKey?: string,
): FetchedBytes {
  const rows = rowBytes(found.map((row) => fieldsOf(statement, row, parentKey)));
  const includes = statement.includes.map((include) => {
    const { to, entity } = relationOf(statement.entity, include.relation);
    const keys = new Set(collectByteKeys(include, rows, decode));
    const children = (all[entity] ?? []).filter((row) => keys.has(row[to] ?? ''));
    const fetched = fetchRows(include.statement, children, all, to);
    return demultiplexChildren(include, rows, fetched, { decode });
  });
  return { rows, includes };
}

function fieldsOf({ columns }: StatementPlan, row: Row, parentKey: string | undefined): Fields {
  return columns.map(({ name, role }) => {
    if (role === 'parent') return row[parentKey ?? ''] ?? null;
    return row[role === 'key' ? name.slice('__'.length) : name] ?? null;
  });
}

/** The row of the answer, computed by nested loops. */
function join(statement: StatementPlan, row: Row, all: Tables): unknown {
  const values = statement.columns
    .filter(({ role }) => role === 'value')
    .map(({ name, type }) => [name, valueOf(row[name] ?? null, type)]);
  const related = statement.includes.map((include) => {
    const { from, to, entity, type } = relationOf(statement.entity, include.relation);
    const key = row[from] ?? null;
    const children = (all[entity] ?? [])
      .filter((child) => key !== null && child[to] === key)
      .map((child) => join(include.statement, child, all));
    return [include.relation, type === 'manyToOne' ? children : (children[0] ?? null)];
  });
  return Object.fromEntries([...values, ...related]);
}

/** A number is written as a number, and any other text as a string. */
function valueOf(text: string | null, type: string): unknown {
  return type === 'integer' && text !== null && /^\d+$/.test(text) ? Number(text) : text;
}

function relationOf(entity: string, name: string) {
  const relation = northwind.entity(entity)?.relations.find((each) => each.name === name);
  invariant(relation, `entity ${entity} has the relation ${name}`);
  const [from = '', to = ''] = [relation.from[0], relation.to[0]];
  return { ...relation, from, to };
}
