/**
 * The names that introspection gives to entities, properties and relations, and how it resolves
 * conflicts.
 */
import { expect, test } from 'vitest';
import type { ExistingColumn, ExistingTable } from '../../../src/engine/ddl/existing.js';
import { draftDocument } from '../../../src/engine/introspect/draft-document.js';
import { draftSchema } from '../../../src/engine/introspect/draft-schema.js';
import { loadSchema } from '../../../src/engine/load/load.js';
import {
  entityName,
  lowerCamel,
  memberName,
  plural,
  singular,
  wordsOf,
} from '../../../src/engine/introspect/words.js';

test.each([
  ['invoice_line', 'InvoiceLine', 'invoiceLine'],
  ['InvoiceLine', 'InvoiceLine', 'invoiceLine'],
  ['INVOICE_LINE', 'InvoiceLine', 'invoiceLine'],
  ['Order Details', 'OrderDetails', 'orderDetails'],
  ['OrderID', 'OrderId', 'orderId'],
  ['URLPath', 'UrlPath', 'urlPath'],
  ['track2album', 'Track2album', 'track2album'],
  ['a.b', 'AB', 'aB'],
  ['größe', 'Grosse', 'grosse'],
  ['_hidden', 'Hidden', 'hidden'],
  ['2020_sales', 'T2020Sales', 'c2020Sales'],
  ['表', 'T', 'c'],
  ['null', 'Null', 'null_'],
  ['service_parent_id', 'ServiceParentId_', 'serviceParentId'],
])('%s becomes the entity %s, or the member %s', (name, entity, member) => {
  expect([entityName(name), memberName(name)]).toEqual([entity, member]);
});

test.each([
  ['order', 'orders'],
  ['category', 'categories'],
  ['key', 'keys'],
  ['address', 'addresses'],
  ['status', 'statuses'],
  ['box', 'boxes'],
  ['branch', 'branches'],
  ['person', 'people'],
  ['child', 'children'],
  ['movie', 'movies'],
  ['series', 'series'],
  ['analysis', 'analyses'],
  ['order_line', 'orderLines'],
])('the plural of %s is %s, and the reverse', (one, many) => {
  expect(lowerCamel(plural(wordsOf(one)))).toBe(many);
  expect(lowerCamel(plural(wordsOf(many)))).toBe(many);
  expect(lowerCamel(singular(wordsOf(one)))).toBe(lowerCamel(wordsOf(one)));
});

function column(name: string): ExistingColumn {
  return { name, type: 'int4', declared: 'integer', isNullable: false, origin: 'given' };
}

function key(columns: readonly string[], table: string, targetColumns: readonly string[] = ['id']) {
  return { name: `${columns.join('_')}_fkey`, columns, schema: 'public', table, targetColumns };
}

function table(
  name: string,
  columns: readonly string[],
  more: Partial<ExistingTable> = {},
): ExistingTable {
  return {
    schema: 'public',
    name,
    isVisible: true,
    kind: 'table',
    columns: ['id', ...columns].map(column),
    primaryKey: ['id'],
    uniqueKeys: [],
    indexes: [],
    foreignKeys: [],
    ...more,
  };
}

/** All relations, as `Entity.relation -> Target.inverse`. */
function relationsOf(tables: readonly ExistingTable[], schemas: readonly string[] = []) {
  return schemaOf(tables, schemas).domain.entities.flatMap(({ name, relations }) =>
    relations
      .filter(({ isInverse }) => !isInverse)
      .map((each) => `${name}.${each.name} -> ${each.entity}.${each.target} ${each.type}`),
  );
}

function schemaOf(tables: readonly ExistingTable[], schemas: readonly string[] = []) {
  const dialect = 'PostgreSQL';
  const draft = draftSchema({ tables, dialect, schemas });
  return loadSchema(draftDocument(draft, { dialect, connection: {} }));
}

test('a relation is named after its column, and its inverse after its table', () => {
  const tables = [
    table('customers', []),
    table('countries', []),
    table('orders', ['customer_id', 'country', 'customerno'], {
      foreignKeys: [key(['customer_id'], 'customers'), key(['country'], 'countries')],
    }),
  ];
  expect(relationsOf(tables)).toEqual([
    'Orders.customer -> Customers.orders oneToMany',
    'Orders.countryRef -> Countries.orders oneToMany',
  ]);
});

test('a relation of a column without an ending is named after the column and the table', () => {
  const tables = [
    table('employees', ['reports_to'], { foreignKeys: [key(['reports_to'], 'employees')] }),
    table('sales', ['sold_by', 'checked_by', 'main_clerk'], {
      foreignKeys: [
        key(['sold_by'], 'employees'),
        key(['checked_by'], 'employees'),
        key(['main_clerk'], 'clerk'),
      ],
    }),
    table('clerk', []),
  ];
  expect(relationsOf(tables)).toEqual([
    'Employees.reportsToEmployee -> Employees.employeesByReportsTo oneToMany',
    'Sales.soldByEmployee -> Employees.salesBySoldBy oneToMany',
    'Sales.checkedByEmployee -> Employees.salesByCheckedBy oneToMany',
    'Sales.mainClerkRef -> Clerk.sales oneToMany',
  ]);
});

test('the names of relations are valid in expressions', () => {
  const columns = ['true_id', '1st_id', '表', 'class_id'];
  const tables = [
    table('2fa', []),
    table('表', ['2nd_id'], { foreignKeys: [key(['2nd_id'], '2fa')] }),
    table('orders', columns, {
      foreignKeys: [
        ...[key(['true_id'], '2fa'), key(['1st_id'], '2fa'), key(['表'], '表')],
        key(['class_id'], '表'),
      ],
    }),
  ];
  expect(relationsOf(tables)).toEqual([
    'T.c2nd -> T2fa.rows oneToMany',
    'Orders.true_ -> T2fa.ordersByTrue_ oneToMany',
    'Orders.c1st -> T2fa.ordersByC1st oneToMany',
    'Orders.parent -> T.ordersByParent oneToMany',
    'Orders.class -> T.ordersByClass oneToMany',
  ]);
});

test('several relations to one table, and to the table itself, get different names', () => {
  const tables = [
    table('address', []),
    table('order', ['billing_address_id', 'shipping_address_id', 'previous_id'], {
      foreignKeys: [
        key(['billing_address_id'], 'address'),
        key(['shipping_address_id'], 'address'),
        key(['previous_id'], 'order'),
      ],
    }),
  ];
  expect(relationsOf(tables)).toEqual([
    'Order.billingAddress -> Address.ordersByBillingAddress oneToMany',
    'Order.shippingAddress -> Address.ordersByShippingAddress oneToMany',
    'Order.previous -> Order.ordersByPrevious oneToMany',
  ]);
});

test('a relation of several columns is named after the one with another name in the target', () => {
  const both = ['tenant_id', 'id'];
  const phase = ['tenant_id', 'phase_no'];
  const tables = [
    table('address', ['tenant_id'], { primaryKey: both }),
    table('project_phases', phase, { primaryKey: phase }),
    table('order', ['tenant_id', 'billing_id', 'shipping_id', 'phase_no'], {
      uniqueKeys: [['phase_no', 'tenant_id']],
      foreignKeys: [
        key(['tenant_id', 'billing_id'], 'address', both),
        key(['tenant_id', 'shipping_id'], 'address', both),
        key(phase, 'project_phases', phase),
      ],
    }),
  ];
  expect(relationsOf(tables)).toEqual([
    'Order.billing -> Address.ordersByBilling oneToMany',
    'Order.shipping -> Address.ordersByShipping oneToMany',
    'Order.projectPhase -> ProjectPhases.order oneToOne',
  ]);
});

test('a foreign key that is also a key is one to one, and named after its table if its column says nothing', () => {
  const profile = table('profiles', [], { foreignKeys: [key(['id'], 'users')] });
  const badge = table('badge', ['user_id'], {
    uniqueKeys: [['user_id']],
    foreignKeys: [key(['user_id'], 'users')],
  });
  expect(relationsOf([table('users', []), profile, badge])).toEqual([
    'Profiles.user -> Users.profile oneToOne',
    'Badge.user -> Users.badge oneToOne',
  ]);
});

test('a relation with the name of a property gets another one', () => {
  const tables = [
    table('customer', ['orders']),
    table('orders', ['customer', 'customer_id', 'customerRef'], {
      foreignKeys: [key(['customer_id'], 'customer')],
    }),
  ];
  expect(relationsOf(tables)).toEqual([
    'Orders.customerRef2 -> Customer.ordersByCustomerRef2 oneToMany',
  ]);
});

test('tables and columns with the same name get numbers, in the order of the database', () => {
  const tables = [table('order_line', ['a_b', 'aB', 'A B']), table('OrderLine', [])];
  const entities = schemaOf(tables).mappings[0]?.entities ?? [];
  expect(entities.map(({ name, mapping }) => [name, mapping])).toEqual([
    ['OrderLine', 'order_line'],
    ['OrderLine2', '"OrderLine"'],
  ]);
  expect(entities[0]?.properties.map(({ name, mapping }) => [name, mapping])).toEqual([
    ['id', 'id'],
    ['aB', 'a_b'],
    ['aB2', '"aB"'],
    ['aB3', 'A B'],
  ]);
});

test('names of tables in all schemas but the first include the schema, and relations lead across schemas', () => {
  const invoice = { schema: 'billing', isVisible: false };
  const tables = [
    table('a.b', [], invoice),
    table('invoice', ['person_id'], { ...invoice, foreignKeys: [key(['person_id'], 'person')] }),
    table('person', []),
    table('hidden', [], { schema: 'other', isVisible: false }),
  ];
  const schemas = ['public', 'billing'];
  const entities = schemaOf(tables, schemas).mappings[0]?.entities ?? [];
  expect(entities.map(({ name, mapping }) => [name, mapping])).toEqual([
    ['Person', 'person'],
    ['BillingAB', 'billing."a.b"'],
    ['BillingInvoice', 'billing.invoice'],
  ]);
  expect(relationsOf(tables, schemas)).toEqual([
    'BillingInvoice.person -> Person.invoices oneToMany',
  ]);
});

test('what cannot be mapped is reported with the reason', () => {
  const shape = { ...column('shape'), type: 'geometry', declared: 'geometry(Point)' };
  const tables = [
    table('place', ['owner_id'], {
      columns: [...['id', 'owner_id'].map(column), shape],
      primaryKey: undefined,
      foreignKeys: [{ ...key(['owner_id'], 'person'), schema: 'secret' }],
    }),
    table('shapes', [], { columns: [shape] }),
    table('place_2024', [], { kind: 'partition' }),
    table('spatial_ref', [], { kind: 'extension' }),
  ];
  const { entities, remarks } = draftSchema({ tables, dialect: 'PostgreSQL', schemas: [] });
  expect(entities).toMatchObject([{ content: { name: 'Place' } }]);
  expect(remarks).toEqual([
    { place: 'public.shapes', why: 'None of its columns can be mapped.' },
    {
      place: 'public.place.shape',
      why: 'The type geometry(Point) is not supported. It is required, so inserts into the table fail.',
    },
    {
      place: 'public.place',
      why: 'It has no primary key, so updates and deletes need a filter.',
      isMapped: true,
    },
    {
      place: 'public.place.owner_id_fkey',
      why: 'The foreign key refers to secret.person, which is not mapped. The flag --schemas A,B selects the schemas to read.',
    },
  ]);
});
