/** The entities of the mixes, as the hand-written servers know them: tables and columns. */

export type EntityName = 'Customers' | 'Details' | 'Orders' | 'Products';

interface Entity {
  readonly table: string;
  /** Columns by property. The first property is the key. */
  readonly columns: Readonly<Record<string, string>>;
}

const ADDRESS = {
  address: 'Address',
  city: 'City',
  region: 'Region',
  postalCode: 'PostalCode',
  country: 'Country',
};

const ENTITIES: Readonly<Record<EntityName, Entity>> = {
  Customers: {
    table: 'Customers',
    columns: {
      id: 'CustomerID',
      name: 'CompanyName',
      contact: 'ContactName',
      phone: 'Phone',
      ...ADDRESS,
    },
  },
  Details: {
    table: '"Order Details"',
    columns: {
      orderId: 'OrderID',
      productId: 'ProductID',
      unitPrice: 'UnitPrice',
      quantity: 'Quantity',
      discount: 'Discount',
    },
  },
  Orders: {
    table: 'Orders',
    columns: {
      id: 'OrderID',
      customerId: 'CustomerID',
      employeeId: 'EmployeeID',
      orderDate: 'OrderDate',
      requiredDate: 'RequiredDate',
      shippedDate: 'ShippedDate',
      shipViaId: 'ShipVia',
      freight: 'Freight',
      name: 'ShipName',
      address: 'ShipAddress',
      city: 'ShipCity',
      region: 'ShipRegion',
      postalCode: 'ShipPostalCode',
      country: 'ShipCountry',
    },
  },
  Products: {
    table: 'Products',
    columns: {
      id: 'ProductID',
      name: 'ProductName',
      supplierId: 'SupplierID',
      categoryId: 'CategoryID',
      quantity: 'QuantityPerUnit',
      price: 'UnitPrice',
      inStock: 'UnitsInStock',
      onOrder: 'UnitsOnOrder',
      reorderLevel: 'ReorderLevel',
      discontinued: 'Discontinued',
    },
  },
};

/** The properties of an entity, with its key first. */
export function propertiesOf(entity: EntityName): readonly string[] {
  return Object.keys(ENTITIES[entity].columns);
}

export function keyColumnOf(entity: EntityName): string {
  return Object.values(ENTITIES[entity].columns)[0] ?? '';
}

/** `SELECT … FROM …` of these properties, or of all, with their names as aliases. */
export function selectFrom(entity: EntityName, properties = propertiesOf(entity)): string {
  return `SELECT ${aliased(entity, properties)} FROM ${ENTITIES[entity].table}`;
}

/** An INSERT of these properties, in this order, that returns the whole row. */
export function insertInto(entity: EntityName, properties: readonly string[]): string {
  const { table, columns } = ENTITIES[entity];
  const names = properties.map((property) => columns[property]).join(', ');
  const values = properties.map((_, index) => `$${index + 1}`).join(', ');
  const returned = aliased(entity, propertiesOf(entity));
  return `INSERT INTO ${table} (${names}) VALUES (${values}) RETURNING ${returned}`;
}

function aliased(entity: EntityName, properties: readonly string[]): string {
  const { columns } = ENTITIES[entity];
  return properties.map((property) => `${columns[property]} AS "${property}"`).join(', ');
}
