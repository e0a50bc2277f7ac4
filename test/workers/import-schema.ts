/** The schema of the suite for imports, with listeners. */
import { parse } from 'yaml';
import { loadSchema, type Schema } from '../../src/engine/index.js';

const entities = `
entities:
  - name: Shelves
    primaryKey: [id]
    uniqueKey: [name]
    properties:
      - { name: id, type: integer, autoIncrement: true }
      - { name: name, required: true, length: 20 }
      - { name: weight, type: decimal, default: 7 }
  - name: Books
    primaryKey: [id]
    properties:
      - { name: id, type: integer, autoIncrement: true }
      - { name: shelfId, type: integer, required: true }
      - { name: sequelOf, type: integer }
      - { name: title, length: 20 }
    relations:
      - { name: shelf, from: shelfId, entity: Shelves, to: id, target: books }
      - { name: original, from: sequelOf, entity: Books, to: id, target: sequels }
  - name: Books.pages
    primaryKey: [bookId, number]
    properties:
      - { name: bookId, type: integer }
      - { name: number, type: integer }
      - { name: text }
    relations:
      - { name: book, from: bookId, entity: Books, to: id, target: pages }
      - { name: spread, type: manyToOne, from: bookId, entity: Books.notes, to: bookId }
  - name: Books.notes
    primaryKey: [bookId]
    properties: [{ name: bookId, type: integer }, { name: text }]
  - name: Logs
    primaryKey: [id]
    properties:
      - { name: id, type: integer, autoIncrement: true }
      - { name: what, length: 200 }
      - { name: count, type: integer }
`;

export const listeners = [
  {
    name: 'audit',
    on: ['insert'],
    condition: 'entity == "Shelves" && options.stage == "default"',
    before: 'Logs.insert({what: concat("before ", query)})',
    after: 'Logs.insert({what: concat("after ", source)})',
    error: 'Logs.insert({what: concat("error ", error.code)})',
  },
  {
    name: 'unheard',
    on: ['insert'],
    condition: '(entity == "None" || false) && data.x',
    before: 'false',
  },
];

export function schemaWith(application: object): Schema {
  const source = { dialect: 'PostgreSQL', connection: {} };
  const copied = [
    { name: 'Shelves', mapping: 'Shelves_copy' },
    { name: 'Books', mapping: 'Books_copy' },
    { name: 'Books.pages', mapping: 'Pages_copy' },
    { name: 'Books.notes', mapping: 'Notes_copy' },
    { name: 'Logs', mapping: 'Logs_copy' },
  ];
  return loadSchema({
    domain: { version: '1.0.0', ...parse(entities) },
    infrastructure: {
      mappings: [
        { name: 'default', entities: [] },
        { name: 'copy', entities: copied },
      ],
      sources: [
        { ...source, name: 'default', mapping: 'default' },
        { ...source, name: 'copy', mapping: 'copy' },
      ],
      stages: [
        { name: 'default', sources: [{ name: 'default' }] },
        { name: 'copy', sources: [{ name: 'copy' }] },
      ],
    },
    application,
  });
}
