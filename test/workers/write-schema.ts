/** The domain of the write cases, and the rows with which every case starts. */
import { type DialectName, loadSchema, type Schema } from '../../src/engine/index.js';
import { parse } from 'yaml';

/** The encryption key: 32 bytes as hexadecimal digits. */
export const SECRET = '00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f';

const document = `
domain:
  version: 1.0.0
  enums:
    - name: Status
      values: [{ name: open, value: open }, { name: closed, value: closed }]
    - name: Rank
      values: [{ name: low, value: 1 }, { name: high, value: 2 }]
  entities:
    - name: Groups
      primaryKey: [id]
      uniqueKey: [name]
      properties:
        - { name: id, type: integer, autoIncrement: true }
        - { name: name, required: true, length: 20 }
        - { name: note }
    - name: Makers
      primaryKey: [id]
      properties:
        - { name: id, length: 5, required: true }
        - { name: name, required: true }
        - { name: city, default: Oslo }
    - name: Passes
      primaryKey: [id]
      uniqueKey: [makerId]
      properties:
        - { name: id, type: integer, autoIncrement: true }
        - { name: makerId, length: 5, required: true }
        - { name: text }
      relations:
        - { name: maker, type: oneToOne, from: makerId, entity: Makers, to: id, target: pass }
    - name: Items
      primaryKey: [id]
      uniqueKey: [name, groupId]
      properties:
        - { name: id, type: integer, autoIncrement: true }
        - { name: name, required: true, length: 10 }
        - { name: groupId, type: integer, required: true }
        - { name: makerId, length: 5 }
        - { name: price, type: decimal, default: 0 }
        - { name: stock, type: integer, default: 5 }
        - { name: active, type: boolean, default: true }
        - { name: made, type: dateTime }
        - { name: day, type: date }
        - { name: at, type: time }
        - { name: weight, type: number }
        - { name: status, enum: Status, default: open }
        - { name: rank, type: integer, enum: Rank }
      relations:
        - { name: group, from: groupId, entity: Groups, to: id, target: items }
        - { name: maker, from: makerId, entity: Makers, to: id, target: items }
      constraints:
        - { message: 'A price is not negative', condition: 'price>=0' }
        - { message: 'What is closed has no stock', condition: 'status!="closed" || stock==0' }
    - name: Items.parts
      primaryKey: [itemId, number]
      properties:
        - { name: itemId, type: integer, required: true }
        - { name: number, type: integer, required: true }
        - { name: label, length: 5 }
        - { name: makerId, length: 5 }
        - { name: serial, type: integer }
      relations:
        - { name: item, from: itemId, entity: Items, to: id, target: parts }
        - { name: maker, from: makerId, entity: Makers, to: id, target: parts }
    - name: Nodes
      primaryKey: [id]
      properties:
        - { name: id, type: integer, autoIncrement: true }
        - { name: name }
        - { name: parentId, type: integer }
      relations:
        - { name: parent, from: parentId, entity: Nodes, to: id, target: children }
    - name: Stamps
      primaryKey: [id]
      properties:
        - { name: id, type: integer, autoIncrement: true }
        - { name: at, type: dateTime, default: now() }
        - { name: day, type: date, default: today() }
    - name: Notes
      properties:
        - { name: text, required: true }
    - name: Labels
      properties:
        - { name: text, required: true, length: 10 }
        - { name: itemId, type: integer }
        - { name: underText, length: 10 }
      relations:
        - { name: item, from: itemId, entity: Items, to: id, target: labels, weak: true }
        - { name: under, from: underText, entity: Labels, to: text, target: over, weak: true }
    - name: Marks
      primaryKey: [id]
      properties:
        - { name: id, type: integer, autoIncrement: true }
        - { name: about, length: 10 }
      relations:
        - { name: label, from: about, entity: Labels, to: text, target: marks, weak: true }
    - name: Odd
      primaryKey: [key]
      properties:
        - { name: key, type: integer, autoIncrement: true }
        - { name: order }
        - { name: total, type: decimal, default: 1.50 }
    - name: Mails
      primaryKey: [id]
      uniqueKey: [address]
      properties:
        - { name: id, type: integer, autoIncrement: true }
        - { name: address, required: true, length: 20, writeValue: lower(trim(address)) }
        - { name: label, default: new, writeValue: 'concat(address, "/", label)' }
    - name: Sealed
      primaryKey: [id]
      properties:
        - { name: id, type: integer, autoIncrement: true }
        - { name: text, readValue: lower(text) }
    - name: Users
      primaryKey: [id]
      uniqueKey: [code]
      properties:
        - { name: id, type: integer, autoIncrement: true }
        - { name: code, required: true, length: 8, writeExp: 'upper(replace(code, "-", "''"))' }
        - { name: first, required: true }
        - { name: last, required: true }
        - { name: full, view: true, readExp: 'concat(last, ", ", first)' }
        - { name: phone, readExp: mask(phone) }
        - name: email
          length: 120
          writeValue: 'encrypt(lower(email), "${SECRET}")'
          readValue: 'decrypt(email, "${SECRET}")'
        - name: hello
          view: true
          readValue: 'concat("Hello ", first, " <", decrypt(email, "${SECRET}"), ">")'
        - { name: slug, default: 'lower(concat(first, ".", last))', length: 20 }
        - { name: ratio, type: decimal }
      constraints:
        - { message: An address has one at sign, condition: 'test(email, "^[^@]+@[^@]+$")' }
        - { message: A ratio has a power, condition: 'ratio == null || 10**(40*ratio) > 0' }
    - name: Tokens
      primaryKey: [id]
      properties:
        - { name: id, type: integer, autoIncrement: true }
        - { name: userId, type: integer, required: true }
        - name: secret
          length: 100
          required: true
          writeValue: 'encrypt(secret, "${SECRET}")'
          readValue: 'decrypt(secret, "${SECRET}")'
      relations:
        - { name: user, from: userId, entity: Users, to: id, target: tokens }
    - name: Places
      abstract: true
      primaryKey: [type, code]
      properties:
        - { name: code, length: 16 }
        - { name: type, length: 16 }
        - { name: name, required: true }
        - { name: within, length: 16 }
    - { name: Countries, extends: Places, properties: [{ name: type, key: country }] }
    - name: States
      extends: Places
      properties: [{ name: type, key: state }]
      relations:
        - { name: country, from: within, entity: Countries, to: code, target: states }
    - name: Sites
      primaryKey: [id]
      properties:
        - { name: id, type: integer, autoIncrement: true }
        - { name: kind, type: integer, key: '7' }
        - { name: name }
    - name: Overview
      view: true
      primaryKey: [id]
      properties:
        - { name: id, type: integer }
infrastructure:
  mappings:
    - name: default
      entities:
        - { name: Groups, mapping: groups }
        - { name: Makers, mapping: makers }
        - { name: Passes, mapping: passes }
        - { name: Items, mapping: Items, properties: [{ name: name, mapping: ItemName }] }
        - { name: Items.parts, mapping: Item Parts }
        - { name: Nodes, mapping: nodes }
        - { name: Stamps, mapping: stamps }
        - { name: Notes, mapping: notes }
        - { name: Labels, mapping: labels }
        - { name: Marks, mapping: marks }
        - name: Odd
          mapping: '"OddRows"'
          properties:
            - { name: key, mapping: '"Key"' }
            - { name: order, mapping: order }
            - { name: total, mapping: Total Sum }
        - { name: Mails, mapping: mails }
        - { name: Sealed, mapping: sealed }
        - { name: Users, mapping: users }
        - { name: Tokens, mapping: tokens }
        - { name: Places, abstract: true, mapping: places }
        - { name: Countries, extends: Places }
        - { name: States, extends: Places }
        - { name: Sites, mapping: sites }
        - { name: Overview, mapping: overview }
  sources:
    - { name: default, dialect: PostgreSQL, mapping: default, connection: {} }
  stages:
    - { name: default, sources: [{ name: default }] }
  views:
    - { name: default }
    - name: narrow
      entities:
        - { name: Makers, properties: [{ name: city, exclude: true }] }
`;

/** The schema as plain data, with its source on `connection`. */
export function writeDocument(
  connection: unknown = {},
  dialect: DialectName = 'PostgreSQL',
): unknown {
  const value: { readonly infrastructure: { readonly sources: object[] } } = parse(document);
  for (const source of value.infrastructure.sources) Object.assign(source, { connection, dialect });
  return value;
}

/** The schema, loaded. */
export function writeSchema(connection: unknown = {}, dialect?: DialectName): Schema {
  return loadSchema(writeDocument(connection, dialect));
}

/** A SELECT for each table of the cases, with the order of its rows. */
export const writeTables: Readonly<Record<string, string>> = {
  Groups: 'SELECT * FROM groups ORDER BY id',
  Makers: 'SELECT * FROM makers ORDER BY id',
  Passes: 'SELECT * FROM passes ORDER BY id',
  Items: 'SELECT * FROM Items ORDER BY id',
  'Items.parts': 'SELECT * FROM "Item Parts" ORDER BY itemId, number',
  Nodes: 'SELECT * FROM nodes ORDER BY id',
  Notes: 'SELECT * FROM notes ORDER BY text',
  Labels: 'SELECT * FROM labels ORDER BY text, itemId',
  Marks: 'SELECT * FROM marks ORDER BY id',
  Odd: 'SELECT * FROM "OddRows" ORDER BY "Key"',
  Mails: 'SELECT * FROM mails ORDER BY id',
  Users: `SELECT id, code, first, last, phone, left(email, 3), length(email), slug, ratio
    FROM users ORDER BY id`,
  Tokens: 'SELECT id, userId, left(secret, 3), length(secret) FROM tokens ORDER BY id',
  Places: 'SELECT * FROM places ORDER BY type, code',
  Sites: 'SELECT * FROM sites ORDER BY id',
};

const seedRows = `
  INSERT INTO groups (name, note) VALUES ('tools', 'a'), ('toys', NULL);
  INSERT INTO makers (id, name, city) VALUES ('AA', 'Aasen', 'Oslo'), ('BB', 'Berg', NULL);
  INSERT INTO passes (makerId, text) VALUES ('AA', 'old');
  INSERT INTO Items (ItemName, groupId, makerId, price, stock, active, made, day, at, weight, status, rank)
    VALUES ('saw', 1, 'AA', 10.50, 3, true, '2024-01-02 03:04:05Z', '2024-01-02', '03:04:05', 1.5, 'open', 1),
      ('axe', 1, NULL, 20, 0, false, NULL, NULL, NULL, NULL, 'closed', NULL),
      ('top', 2, 'BB', 0, 5, true, NULL, NULL, NULL, 0.25, 'open', 2);
  INSERT INTO "Item Parts" (itemId, number, label, makerId, serial)
    VALUES (1, 1, 'blade', 'AA', 7), (1, 2, 'grip', NULL, NULL), (2, 1, 'head', NULL, 0);
  INSERT INTO nodes (name, parentId) VALUES ('root', NULL), ('leaf', 1);
  INSERT INTO notes (text) VALUES ('one'), ('two');
  INSERT INTO labels (text, itemId, underText) VALUES ('a', 1, NULL), ('b', 2, 'a'), ('c', 3, 'b');
  INSERT INTO marks (about) VALUES ('a');
  INSERT INTO mails (address, label) VALUES ('a@b.c', 'a');
  INSERT INTO users (code, first, last, phone) VALUES ('AB', 'Ann', 'Berg', '0123456789');
  INSERT INTO places (type, code, name, within) VALUES ('country', 'NO', 'Norway', NULL),
    ('state', 'NO', 'Nord', 'NO'), ('state', 'OS', 'Oslo', 'NO');
  INSERT INTO sites (kind, name) VALUES (7, 'own'), (8, 'other');
  INSERT INTO "OddRows" ("order", "Total Sum") VALUES ('x', 1);
`;

/** Empties the tables on PostgreSQL, and stores the rows with which every case starts. */
export const writeSeed = `
  TRUNCATE groups, makers, passes, Items, "Item Parts", nodes, stamps, notes, labels, marks, "OddRows", mails,
    users, tokens, places, sites
    RESTART IDENTITY CASCADE;
  ${seedRows}`;

const mariadbTables = [
  'Item Parts',
  'Items',
  'passes',
  'nodes',
  'stamps',
  'notes',
  'labels',
  'marks',
  'OddRows',
  'mails',
  'users',
  'tokens',
  'places',
  'sites',
  'makers',
  'groups',
];

/** The same for MariaDB. */
export const mariadbSeed = `
  SET SESSION sql_mode = 'STRICT_ALL_TABLES,ANSI_QUOTES', foreign_key_checks = 0;
  ${mariadbTables.map((name) => `DELETE FROM "${name}"; ALTER TABLE "${name}" AUTO_INCREMENT = 1;`).join(' ')}
  ${seedRows.replaceAll(/\b(groups|rank)\b/g, '"$1"').replaceAll("05Z'", "05'")}
  SET SESSION foreign_key_checks = 1;`;
