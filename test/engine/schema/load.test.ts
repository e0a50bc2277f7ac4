import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkSchema, loadSchema } from '../../../src/engine/load/load.js';
import type { Entity, Schema } from '../../../src/engine/schema/model.js';
import { lambdaormDocument } from './lambdaorm-file.js';

const schema = loadSchema(lambdaormDocument());

describe('a file of lambdaorm', () => {
  it('loads without changes', () => {
    expect(checkSchema(lambdaormDocument())).toEqual([]);
    expect(schema.version).toBe('2.3.4');
    expect(schema.domain.version).toBe('2.3.4');
  });

  it('lists no abstract entities', () => {
    expect(schema.domain.entities.map((each) => each.name)).toEqual([
      'Users',
      'Countries',
      'Devices',
      'Devices.components',
      'Statuses',
    ]);
  });

  it('gives every member of an enum a value, by default its name', () => {
    expect(schema.domain.enums).toEqual([
      {
        name: 'DeviceType',
        values: [
          { name: 'phone', value: 'P' },
          { name: 'computer', value: 'computer' },
          { name: 'robot', value: 3 },
        ],
      },
    ]);
  });

  it('inherits properties and indexes from several bases', () => {
    const devices = entityOf(schema, 'Devices');
    expect(devices.properties.map((each) => each.name)).toEqual([
      'id',
      'type',
      'ownerId',
      'created',
      'latitude',
      'longitude',
    ]);
    expect(devices.indexes).toEqual([{ name: 'created', fields: ['created'] }]);
  });

  it('inherits keys, and extends a property of a base', () => {
    const countries = entityOf(schema, 'Countries');
    expect(countries.primaryKey).toEqual(['kind', 'code']);
    expect(countries.composite).toBe(true);
    expect(countries.properties[0]).toEqual({
      name: 'kind',
      type: 'string',
      required: true,
      length: 16,
      key: 'country',
    });
  });

  it('accepts types in upper and lower case', () => {
    expect(entityOf(schema, 'Devices').properties[3]).toEqual({
      name: 'created',
      type: 'dateTime',
      required: false,
      default: 'now()',
    });
  });

  it('gives a length to strings only', () => {
    expect(entityOf(schema, 'Statuses').properties[1]).toEqual({
      name: 'cpu',
      type: 'decimal',
      required: false,
    });
  });

  it('sets flags for the expressions that an entity has', () => {
    expect(entityOf(schema, 'Users')).toMatchObject({
      view: true,
      hadReadExps: true,
      hadWriteExps: true,
      hadReadValues: true,
      hadWriteValues: true,
      hadDefaults: true,
      hadViewReadExp: true,
    });
    expect(entityOf(schema, 'Statuses')).toMatchObject({
      view: false,
      hadReadExps: false,
      hadWriteExps: false,
      hadReadValues: false,
      hadWriteValues: false,
      hadDefaults: false,
      hadViewReadExp: false,
    });
  });

  const inverses = [
    {
      entity: 'Users',
      relation: {
        name: 'devices',
        type: 'manyToOne',
        from: ['username'],
        entity: 'Devices',
        to: ['ownerId'],
        target: 'owner',
        weak: true,
        composite: false,
      },
    },
    {
      entity: 'Devices',
      relation: {
        name: 'components',
        type: 'manyToOne',
        from: ['id'],
        entity: 'Devices.components',
        to: ['deviceId'],
        target: 'device',
        weak: false,
        composite: true,
      },
    },
    {
      entity: 'Devices',
      relation: {
        name: 'status',
        type: 'oneToOne',
        from: ['id'],
        entity: 'Statuses',
        to: ['id'],
        target: 'device',
        weak: false,
      },
    },
  ];
  for (const { entity, relation } of inverses) {
    it(`creates the inverse relation ${entity}.${relation.name}`, () => {
      expect(entityOf(schema, entity).relations).toContainEqual({ ...relation, isInverse: true });
    });
  }

  it('counts a oneToOne relation as a reference on the side that declares it', () => {
    expect(entityOf(schema, 'Devices').dependents.map((each) => each.entity)).toEqual([
      'Devices.components',
      'Statuses',
    ]);
    expect(entityOf(schema, 'Statuses').dependents).toEqual([]);
  });

  it('treats a child entity as composite even if its key is one property', () => {
    expect(entityOf(schema, 'Devices.components').composite).toBe(true);
  });

  it('maps to the table and columns inherited from mapping entities and mappings', () => {
    expect(columnsOf(schema, 'default', 'Devices')).toEqual({
      table: 'TBL_DEVICES',
      id: 'ID',
      type: 'type',
      ownerId: 'ownerId',
      created: 'CREATED',
      latitude: 'latitude',
      longitude: 'longitude',
    });
    expect(columnsOf(schema, 'insights', 'Devices')).toEqual({
      table: 'devices',
      id: 'ID',
      type: 'type',
      ownerId: 'ownerId',
      created: 'created_at',
      latitude: 'latitude',
      longitude: 'longitude',
    });
    expect(columnsOf(schema, 'default', 'Countries')).toEqual({
      table: 'TBL_PLACES',
      kind: 'KIND',
      code: 'CODE',
      title: 'TITLE',
    });
    expect(mappingEntityOf(schema, 'insights', 'Countries')).toMatchObject({
      filter: 'kind != "none"',
      hadKeys: true,
    });
    expect(mappingEntityOf(schema, 'default', 'Countries')?.properties[2]).toMatchObject({
      readMappingExp: 'trim(title)',
    });
  });

  it('names the table of an unmapped entity after the entity, with underscores for dots', () => {
    expect(columnsOf(schema, 'default', 'Devices.components')).toEqual({
      table: 'Devices_components',
      id: 'id',
      deviceId: 'deviceId',
    });
  });

  it('keeps a column that only the mapping has out of the domain', () => {
    const users = mappingEntityOf(schema, 'keycloak', 'Users');
    expect(users).toMatchObject({
      mapping: 'user_entity',
      filter: 'realmId == "main"',
      hadKeys: false,
    });
    expect(users?.properties.at(-1)).toEqual({
      name: 'realmId',
      type: 'string',
      required: false,
      length: 255,
      mapping: 'realm_id',
    });
    expect(entityOf(schema, 'Users').properties.map((each) => each.name)).not.toContain('realmId');
  });

  it('accepts a connection as an object, as its JSON text and as a URL', () => {
    expect(schema.sources).toEqual([
      {
        name: 'shop',
        dialect: 'MySQL',
        mapping: 'default',
        connection: {
          host: 'db.example',
          port: 3306,
          user: 'shop',
          password: 'p$ss',
          database: 'shop',
        },
      },
      {
        name: 'crm',
        dialect: 'PostgreSQL',
        mapping: 'keycloak',
        connection: { url: 'postgresql://crm@crm.example/crm' },
      },
      {
        name: 'insights',
        dialect: 'MariaDB',
        mapping: 'insights',
        connection: { host: 'insights.example', port: 5433, user: 'reader', password: '1234' },
      },
    ]);
  });

  it('keeps the conditions of stages, also under the older name of their sources', () => {
    expect(schema.stages).toEqual([
      {
        name: 'default',
        sources: [{ name: 'crm', condition: 'entity == "Users"' }, { name: 'shop' }],
      },
      {
        name: 'cqrs',
        sources: [{ name: 'insights', condition: 'action == "select"' }, { name: 'shop' }],
      },
      { name: 'insights', sources: [{ name: 'insights' }] },
    ]);
  });

  it('keeps views and listeners; listeners apply to the bulk clauses, too', () => {
    expect(schema.views.map((view) => view.name)).toEqual(['default', 'guest']);
    expect(schema.listeners).toEqual([
      {
        name: 'sync',
        on: ['insert', 'update', 'delete'],
        condition: 'options.stage.in("default","cqrs")',
        after: 'orm.execute(query,data,{stage:"insights"})',
      },
      {
        name: 'send',
        on: ['insert', 'update', 'delete'],
        condition: 'options.stage.in("default","cqrs")',
        after: 'queue.send("sync",[{expression:expression,data:data}])',
      },
      { name: 'log', on: ['select'], before: 'console.log(query)' },
    ]);
  });

  it('replaces a set variable in the domain, and leaves every other dollar unchanged', () => {
    const { properties, constraints } = entityOf(schema, 'Users');
    expect(properties.find((each) => each.name === 'email')?.readValue).toBe(
      'decrypt(email,"s3cret")',
    );
    expect(properties.find((each) => each.name === 'label')?.default).toBe(
      '`${username}-${lastname}`',
    );
    expect(constraints).toEqual([{ message: 'invalid email', condition: 'test(email,"^.+@.+$")' }]);
  });

  it('is frozen plain data', () => {
    expect(structuredClone(schema)).toEqual(schema);
    expect(Object.isFrozen(schema.domain.entities[0]?.properties[0])).toBe(true);
    expect(Object.isFrozen(schema.mappings[0]?.entities)).toBe(true);
  });
});

describe('a minimal file', () => {
  const small = loadSchema(
    parse('domain: {entities: [{name: Cities, properties: [{name: name}]}]}'),
  );

  it('gets a version, a source, a mapping, a stage and a view', () => {
    expect(small).toMatchObject({
      version: '1.0.0',
      mappings: [{ name: 'default', entities: [{ name: 'Cities', mapping: 'Cities' }] }],
      sources: [{ name: 'default', dialect: 'PostgreSQL', mapping: 'default', connection: {} }],
      stages: [{ name: 'default', sources: [{ name: 'default' }] }],
      views: [{ name: 'default', entities: [] }],
      listeners: [],
    });
  });

  it('gets properties that are nullable strings of 80 characters', () => {
    expect(entityOf(small, 'Cities').properties).toEqual([
      { name: 'name', type: 'string', required: false, length: 80, isUsualLength: true },
    ]);
  });

  it('gets one stage with all its sources if it has no stages', () => {
    const { stages, sources } = loadSchema(
      parse(`
domain: {entities: []}
infrastructure:
  mappings: [{name: tables}]
  sources: [{name: a, dialect: MySQL, connection: ""}, {name: b, dialect: MariaDB}]`),
    );
    expect(stages).toEqual([{ name: 'default', sources: [{ name: 'a' }, { name: 'b' }] }]);
    expect(sources[0]).toEqual({ name: 'a', dialect: 'MySQL', mapping: 'tables', connection: {} });
  });
});

describe('relations that are declared on both sides', () => {
  const both = loadSchema(
    parse(`
domain:
  entities:
  - name: Parents
    properties: [{name: id, type: integer}]
    relations:
    - {name: children, type: manyToOne, composite: true, from: id, entity: Children, to: parentId}
    - {name: pets, type: manyToOne, from: id, entity: Pets, to: parentId, target: owner}
  - name: Children
    properties: [{name: parentId, type: integer}]
    relations: [{name: parent, from: parentId, entity: Parents, to: id, target: children}]
  - name: Pets
    properties: [{name: parentId, type: integer}]`),
  );

  it('stay as declared', () => {
    expect(entityOf(both, 'Parents').relations[0]).toEqual({
      name: 'children',
      type: 'manyToOne',
      from: ['id'],
      entity: 'Children',
      to: ['parentId'],
      weak: false,
      composite: true,
    });
  });

  it('have a to-one inverse if the declared one leads to many, and the inverse is a reference', () => {
    expect(entityOf(both, 'Pets').relations).toEqual([
      {
        name: 'owner',
        type: 'oneToMany',
        from: ['parentId'],
        entity: 'Parents',
        to: ['id'],
        target: 'pets',
        weak: false,
        isInverse: true,
      },
    ]);
    expect(entityOf(both, 'Parents').dependents.map((each) => each.entity)).toEqual([
      'Children',
      'Pets',
    ]);
  });
});

function entityOf({ domain }: Schema, name: string): Entity {
  const entity = domain.entities.find((each) => each.name === name);
  if (!entity) throw new Error(`No entity ${name}`);
  return entity;
}

function mappingEntityOf({ mappings }: Schema, mapping: string, entity: string) {
  const found = mappings.find((each) => each.name === mapping);
  return found?.entities.find((each) => each.name === entity);
}

function columnsOf(from: Schema, mapping: string, entity: string) {
  const found = mappingEntityOf(from, mapping, entity);
  const columns = found?.properties.map((each) => [each.name, each.mapping]) ?? [];
  return { table: found?.mapping, ...Object.fromEntries(columns) };
}
