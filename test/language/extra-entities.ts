/** Entities beside those of the sample: extreme values of their types, and names that occur twice. */

/** The entities to add to the schema document of the sample. */
export const extraEntities = [
  {
    name: 'Readings',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'whole', type: 'integer' },
      { name: 'exact', type: 'decimal' },
      { name: 'double', type: 'number' },
      { name: 'flag', type: 'boolean' },
      { name: 'label' },
    ],
  },
  {
    name: 'Moments',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'at', type: 'dateTime' },
      { name: 'day', type: 'date' },
      { name: 'clock', type: 'time' },
    ],
  },
  {
    name: 'Notes',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'author' },
      { name: 'authorId', type: 'integer' },
      { name: 'readingId', type: 'integer' },
    ],
    relations: [
      { name: 'writer', from: 'authorId', entity: 'Employees', to: 'id', target: 'notes' },
      { name: 'reading', from: 'readingId', entity: 'Readings', to: 'id', target: 'notes' },
    ],
  },
] as const;

/** Their mapping: each property is mapped to the column of the same name. */
export const extraMappings = extraEntities.map(({ name, properties }) => ({
  name,
  mapping: name.toLowerCase(),
  properties: properties.map((property) => ({ name: property.name, mapping: property.name })),
}));

/** The SQL of their tables and rows. */
export const extraTables = `
  CREATE TABLE readings (id int PRIMARY KEY, whole numeric, exact numeric, "double" float8,
    flag bool, label text);
  INSERT INTO readings VALUES
    (1, 12345678901234567890, 123456789012345678901234567.891, 0.1, true, 'twenty digits'),
    (2, -99999999999999999999, -0.000000000000000000000000000001, 1e300, false, 'negative'),
    (3, 9007199254740993, 10.50, 'NaN', NULL, ''),
    (4, 0, 0.00, 'Infinity', true, NULL),
    (5, NULL, NULL, NULL, NULL, 'B'),
    (6, 7, 2.5, -2.5, false, 'a%b_c\\d'),
    (7, -7, 'NaN', '-Infinity', true, 'É'),
    (8, 7, 2.50, 5e-324, NULL, 'b');
  CREATE TABLE moments (id int PRIMARY KEY, at timestamptz, day date, clock time);
  INSERT INTO moments VALUES
    (1, '0001-01-01 00:00:00+00', '0001-01-01', '00:00:00'),
    (2, '9999-12-31 23:59:59.999999+00', '9999-12-31', '23:59:59.999999'),
    (3, '2024-03-10 06:59:59.999+00', '2024-03-10', '02:30:00'),
    (4, '2024-03-10 07:00:00+00', '2024-03-10', '03:00:00.5'),
    (5, '2024-11-03 05:30:00.000001+00', '2024-11-03', '01:30:00'),
    (6, '2024-11-03 06:30:00.000999+00', '2024-11-03', '01:30:00.001'),
    (7, 'infinity', 'infinity', NULL),
    (8, '-infinity', '-infinity', NULL),
    (9, NULL, NULL, NULL),
    (10, '2011-12-30 12:00:00+00', '2011-12-30', '12:00:00'),
    (11, '0044-03-15 12:00:00+00 BC', '0044-03-15 BC', '12:00:00'),
    (12, '20000-06-01 00:00:00+00', '20000-06-01', '12:00:00'),
    (13, '2024-02-29 18:29:59.123456+00', '2024-02-29', '18:29:59.123');
  CREATE TABLE notes (id int PRIMARY KEY, author text, authorid int, readingid int);
  INSERT INTO notes VALUES (1, 'Ingrid', 1, 1), (2, 'nobody', NULL, 1), (3, NULL, 3, NULL),
    (4, 'Chidi', 2, 6), (5, 'Chidi', 2, 99);
`;
