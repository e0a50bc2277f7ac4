/**
 * A small document for the sample's schema: every entity, an order with details, and strings to escape.
 */

const place = { address: null, city: 'Lund', region: '', postalCode: '0', country: 'SE' };

export const smallDocument = {
  entities: [
    {
      entity: 'Categories',
      rows: [{ id: 4, name: 'Tea', description: 'a\tb\nc\\d\r\u2028"é😀"' }],
    },
    {
      entity: 'Customers',
      rows: [{ id: 'ÅSA', name: '\\N', contact: '\\.', phone: '', ...place }],
    },
    {
      entity: 'Employees',
      rows: [
        {
          id: 1,
          lastName: 'Berg',
          firstName: 'Ada',
          birthDate: '1970-01-01T00:00:00.123Z',
          reportsToId: 2,
        },
        { id: 2, lastName: 'Ek', firstName: 'Bo', hireDate: '0044-03-15T10:00:00+02:00' },
      ],
    },
    { entity: 'Shippers', rows: [{ id: 7, name: 'Swift' }] },
    { entity: 'Suppliers', rows: [{ id: 1, name: 'North', ...place }] },
    {
      entity: 'Products',
      rows: [
        { id: 1, name: 'Green', supplierId: 1, categoryId: 4, price: 0.1, discontinued: true },
      ],
    },
    {
      entity: 'Orders',
      rows: [
        {
          id: 10,
          customerId: 'ÅSA',
          employeeId: 1,
          requiredDate: '1996-07-31T22:00:00.000Z',
          shipViaId: 7,
          freight: 0,
          details: [{ orderId: 10, productId: 1, unitPrice: 12.5, quantity: 3, discount: 0 }],
        },
        { id: 11, customerId: 'ÅSA', employeeId: 2, details: [] },
      ],
    },
  ],
} as const;

/** The answer to its import. */
export const smallCounts = [
  { entity: 'Categories', rows: 1 },
  { entity: 'Customers', rows: 1 },
  { entity: 'Employees', rows: 2 },
  { entity: 'Shippers', rows: 1 },
  { entity: 'Suppliers', rows: 1 },
  { entity: 'Products', rows: 1 },
  { entity: 'Orders', rows: 2 },
  { entity: 'Orders.details', rows: 1 },
];

/** Rows without keys, before and among rows with explicit ones, with nested rows of two levels. */
export const nestedDocument = {
  entities: [
    {
      entity: 'Suppliers',
      rows: [
        {
          products: [{ name: 'p', orderDetails: [{ orderId: 5, quantity: 1 }] }, { name: 'q' }],
          name: 'new',
        },
        { id: 40, name: 'old', products: [{ id: 9, name: 'r' }] },
        { id: null, name: 'null' },
      ],
    },
    { entity: 'Customers', rows: [{ id: 'A', name: 'a', orders: [{ id: 5, employeeId: 3 }] }] },
    { entity: 'Employees', rows: [{ id: 3, lastName: 'L', firstName: 'F' }] },
  ],
};
