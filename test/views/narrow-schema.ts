/**
 * The sample domain with a view, and the domain without what the view hides: a query under the view
 * must be answered like a query of the other domain.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { DialectName } from '../../src/engine/index.js';

const file = new URL('../../schemas/northwind.yaml', import.meta.url);

const shown = 'in(country,["Spain","France","Ireland"])';

/** What the view `narrow` hides, and the expressions of its properties. */
const narrow = {
  name: 'narrow',
  entities: [
    { name: 'Employees', exclude: true },
    {
      name: 'Customers',
      readExp: shown,
      properties: [
        { name: 'phone', readExp: '"none"' },
        { name: 'contact', exclude: true },
      ],
    },
    { name: 'Orders', readExp: 'p=>p.customer.country.in(["Spain","France","Ireland"])' },
    {
      name: 'Orders.details',
      readExp: 'in(order.customer.country,["Spain","France","Ireland"])',
      properties: [{ name: 'discount', exclude: true }],
    },
    {
      name: 'Products',
      readExp: 'discontinued == false',
      properties: [
        { name: 'price', exclude: true },
        { name: 'inStock', readExp: 'inStock > 50 ? 50 : inStock' },
      ],
    },
    { name: 'Suppliers', properties: [{ name: 'name', readExp: 'upper(substring(name,1,3))' }] },
    { name: 'Categories', readExp: 'exists(products, q=>q.price > 90)' },
  ],
};

/** Hides rows that visible rows refer to. */
const customers = { name: 'customers', entities: [{ name: 'Customers', readExp: shown }] };

/** The same, and what refers to them is read otherwise. */
const masked = {
  name: 'masked',
  entities: [
    { name: 'Customers', readExp: shown },
    { name: 'Orders', properties: [{ name: 'customerId', readExp: '"x"' }] },
  ],
};

/** Hides a primary key. */
const keyless = {
  name: 'keyless',
  entities: [{ name: 'Shippers', properties: [{ name: 'id', exclude: true }] }],
};

/** Hides a required property without a default. */
const nameless = {
  name: 'nameless',
  entities: [{ name: 'Shippers', properties: [{ name: 'name', exclude: true }] }],
};

/** The whole schema with the view. The stage `forced` is always served with the view. */
export function wholeDocument(dialect: DialectName, connection: unknown): unknown {
  const { domain, infrastructure } = parse(readFileSync(file, 'utf8'));
  const sources = [{ name: 'default', dialect, connection }];
  const stages = [
    { name: 'default', sources: [{ name: 'default' }] },
    { name: 'forced', view: 'narrow', sources: [{ name: 'default' }] },
    { name: 'customers', view: 'customers', sources: [{ name: 'default' }] },
  ];
  const views = [{ name: 'default' }, narrow, customers, masked, keyless, nameless];
  return { domain, infrastructure: { mappings: infrastructure.mappings, sources, stages, views } };
}

interface Named {
  readonly name: string;
}

interface DomainEntity extends Named {
  readonly properties?: readonly Named[];
  readonly relations?: readonly { readonly entity: string }[];
}

const gone: Readonly<Record<string, readonly string[]>> = {
  Customers: ['contact'],
  'Orders.details': ['discount'],
  Products: ['price'],
};

/** Keys of rows that the view may hide: rows that refer to such a row stay visible. */
const loose: Readonly<Record<string, readonly string[]>> = { 'Orders.details': ['productId'] };

/** The schema without what the view hides, and without a view. */
export function absentDocument(dialect: DialectName, connection: unknown): unknown {
  const { domain, infrastructure } = parse(readFileSync(file, 'utf8'));
  const all: readonly DomainEntity[] = domain.entities;
  const entities = all
    .filter(({ name }) => name !== 'Employees')
    .map((entity) => ({
      ...entity,
      properties: entity.properties
        ?.filter(({ name }) => !gone[entity.name]?.includes(name))
        .map((property) =>
          loose[entity.name]?.includes(property.name) ? { ...property, required: false } : property,
        ),
      relations: entity.relations?.filter((relation) => relation.entity !== 'Employees'),
      // A property with another expression is not a key.
      ...(entity.name === 'Suppliers' && { uniqueKey: [] }),
    }));
  const [mapping] = infrastructure.mappings;
  const mapped: readonly DomainEntity[] = mapping.entities;
  const mappings = [
    {
      ...mapping,
      entities: mapped
        .filter(({ name }) => name !== 'Employees')
        .map((entity) => ({
          ...entity,
          properties: entity.properties?.filter(({ name }) => !gone[entity.name]?.includes(name)),
        })),
    },
  ];
  const sources = [{ name: 'default', dialect, connection }];
  const stages = [{ name: 'default', sources: [{ name: 'default' }] }];
  return { domain: { ...domain, entities }, infrastructure: { mappings, sources, stages } };
}

const countries = `('Spain','France','Ireland')`;

/** Deletes the rows that the view hides, and updates those with other expressions. */
export const deletions = `
DELETE FROM Categories WHERE NOT EXISTS
  (SELECT 1 FROM Products p WHERE p.CategoryID = Categories.CategoryID AND p.UnitPrice > 90);
DELETE FROM "Order Details" WHERE OrderID IN (SELECT OrderID FROM Orders WHERE CustomerID IN
  (SELECT CustomerID FROM Customers WHERE Country IS NULL OR Country NOT IN ${countries}));
DELETE FROM Orders WHERE CustomerID IN
  (SELECT CustomerID FROM Customers WHERE Country IS NULL OR Country NOT IN ${countries});
DELETE FROM Customers WHERE Country IS NULL OR Country NOT IN ${countries};
DELETE FROM Products WHERE Discontinued IS NULL OR Discontinued;
UPDATE Customers SET Phone = 'none', ContactName = NULL;
UPDATE Products SET UnitsInStock = 50 WHERE UnitsInStock > 50;
UPDATE Suppliers SET CompanyName = upper(left(CompanyName, 3));
`;

/** Removes from a PostgreSQL database what the view hides. */
export const hideRows = `
DO $$ DECLARE k record; BEGIN
  FOR k IN SELECT conname, conrelid::regclass AS t FROM pg_constraint
    WHERE contype = 'f' AND confrelid IN ('products'::regclass, 'categories'::regclass)
      OR contype = 'u' AND conrelid = 'suppliers'::regclass LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', k.t, k.conname);
  END LOOP;
END $$;
${deletions}`;
