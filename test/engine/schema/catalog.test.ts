import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../../src/engine/schema/catalog.js';
import { loadSchema } from '../../../src/engine/load/load.js';
import { lambdaormDocument } from './lambdaorm-file.js';
import { northwind } from './northwind.js';

describe('a catalog', () => {
  it('finds entities, properties and relations by name', () => {
    expect(northwind.entity('Orders')?.primaryKey).toEqual(['id']);
    expect(northwind.property('Orders', 'customerId')?.length).toBe(5);
    expect(northwind.relation('Orders', 'customer')).toMatchObject({
      ...{ name: 'customer', type: 'oneToMany', from: ['customerId'] },
      ...{ entity: 'Customers', to: ['id'] },
    });
    expect(northwind.relation('Orders', 'details')?.type).toBe('manyToOne');
  });

  it('finds the members of the infrastructure by name', () => {
    expect(northwind.stage('default')?.sources).toEqual([{ name: 'default' }]);
    expect(northwind.view('default')?.entities).toEqual([]);
    expect(northwind.enum('Colour')).toBeUndefined();
  });

  it('returns undefined for unknown names, including members of every object', () => {
    for (const name of ['Nobody', 'constructor', '__proto__', '']) {
      expect(northwind.entity(name)).toBeUndefined();
      expect(northwind.property(name, name)).toBeUndefined();
      expect(northwind.property('Orders', name)).toBeUndefined();
      expect(northwind.relation('Orders', name)).toBeUndefined();
      expect(northwind.locate(name, 'Orders', 'select')).toBeUndefined();
      expect(northwind.locate('default', name, 'select')).toBeUndefined();
    }
  });

  it('locates the table and columns of an entity in a stage', () => {
    const location = northwind.locate('default', 'Orders', 'select');
    expect(location?.source.name).toBe('default');
    expect(location?.entity.mapping).toBe('Orders');
    expect(location?.columns.get('shipViaId')?.mapping).toBe('ShipVia');
    expect(northwind.locate('default', 'Orders', 'select')).toBe(location);
  });

  it('is unrestricted', () => {
    expect(northwind.unrestricted).toBe(northwind);
    expect(northwind.activeView).toBeUndefined();
    expect(northwind.rowFilter('Orders')).toBeUndefined();
  });

  it('provides the stage and view of a query that names none', () => {
    expect([northwind.defaultStage, northwind.defaultView]).toEqual(['default', 'default']);
    const infrastructure = {
      sources: [{ name: 's', dialect: 'MySQL' }],
      stages: [
        { name: 'live', sources: [{ name: 's' }] },
        { name: 'test', sources: [{ name: 's' }] },
      ],
      views: [{ name: 'public' }],
    };
    const catalog = createCatalog(loadSchema({ domain: {}, infrastructure }));
    expect([catalog.defaultStage, catalog.defaultView]).toEqual(['live', 'public']);
  });
});

describe('a stage of several sources', () => {
  const catalog = createCatalog(loadSchema(lambdaormDocument()));

  const cases = [
    { stage: 'default', entity: 'Users', action: 'select', source: 'crm', table: 'user_entity' },
    { stage: 'default', entity: 'Users', action: 'update', source: 'crm', table: 'user_entity' },
    { stage: 'default', entity: 'Devices', action: 'select', source: 'shop', table: 'TBL_DEVICES' },
    { stage: 'cqrs', entity: 'Devices', action: 'select', source: 'insights', table: 'devices' },
    { stage: 'cqrs', entity: 'Devices', action: 'insert', source: 'shop', table: 'TBL_DEVICES' },
  ] as const;
  for (const { stage, entity, action, source, table } of cases) {
    it(`uses ${source} to ${action} ${entity} in ${stage}: its condition is the first that holds`, () => {
      const location = catalog.locate(stage, entity, action);
      expect([location?.source.name, location?.entity.mapping]).toEqual([source, table]);
    });
  }
});
