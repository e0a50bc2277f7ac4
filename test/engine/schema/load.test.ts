import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkSchema, loadSchema } from '../../../src/engine/load/load.js';
import type { Entity, Schema } from '../../../src/engine/schema/model.js';
import { lambdaormDocument } from './lambdaorm-file.js';

const schema = loadSchema(lambdaormDocument());

describe('a file of lambdaorm', () => {
  it('loads as it is', () => {
    expect(checkSchema(lambdaormDocument())).toEqual([]);
    expect(schema.version).toBe('2.3.4');
    expect(schema.domain.version).toBe('2.3.4');
  });

  it('lists no abstract entity', () => {
    expect(schema.domain.entities.map((each) => each.name)).toEqual([
      'Users',
      'Countries',
      'Devices',
      'Devices.components',
      'Statuses',
    ]);
  });

  it('gives the names of an enum values, by default the names themselves', () => {
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

  it('inherits properties and indexes through several bases', () => {
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

  it('inherits keys, and adds to the property of a base', () => {
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

  it('takes the types in any case of letters', () => {
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

  it('raises the flags of the expressions that an entity has', () => {
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
    it(`makes the inverse relation ${entity}.${relation.name}`, () => {
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

  it('takes a child entity for composite, though its key is one property', () => {
    expect(entityOf(schema, 'Devices.components').composite).toBe(true);
  });

  it('maps to the table and columns that are inherited from mapping entities and mappings', () => {
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
    });
    expect(mappingEntityOf(schema, 'insights', 'Countries')).toMatchObject({
      filter: 'kind != "none"',
      hadKeys: true,
    });
    expect(mappingEntityOf(schema, 'default', 'Countries')?.properties[1]).toMatchObject({
      readMappingExp: 'trim(code)',
    });
  });

  it('names the table of an unmapped entity by the entity, its dots underscores', () => {
    expect(columnsOf(schema, 'default', 'Devices.components')).toEqual({
      table: 'Devices_components',
      id: 'id',
      deviceId: 'deviceId',
    });
  });

  it('keeps a column of the mapping alone out of the domain', () => {
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

  it('takes a connection as the JSON text of an object, as a URL, as an object', () => {
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

  it('keeps the conditions of stages, the older name of their sources included', () => {
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

  it('keeps views and listeners; the bulk forms are heard with the plain ones', () => {
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

  it('replaces a set variable in the domain, and leaves every other dollar alone', () => {
    const { properties, constraints } = entityOf(schema, 'Users');
    expect(properties.find((each) => each.name === 'email')?.readValue).toBe(
      'decrypt(email,"s3cret")',
    );
    expect(properties.find((each) => each.name === 'label')?.default).toBe(
      '`${username}-${lastname}`',
    );
    expect(constraints).toEqual([{ message: 'invalid email', condition: 'test(email,"^.+@.+$")' }]);
  });

  it('is plain data, frozen throughout', () => {
    expect(structuredClone(schema)).toEqual(schema);
    expect(Object.isFrozen(schema.domain.entities[0]?.properties[0])).toBe(true);
    expect(Object.isFrozen(schema.mappings[0]?.entities)).toBe(true);
  });
});

describe('a file that says little', () => {
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

  it('gets properties that are strings of 80 characters and may be null', () => {
    expect(entityOf(small, 'Cities').properties).toEqual([
      { name: 'name', type: 'string', required: false, length: 80 },
    ]);
  });

  it('gets one stage of all its sources when it has no stages', () => {
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

  it('stay as they are declared', () => {
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

  it('have a to-one inverse when the declared one leads to many, and it is a reference', () => {
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
