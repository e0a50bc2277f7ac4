/**
 * Look-ups by name in a schema. All maps are built at once, so a look-up costs a map access and
 * allocates nothing.
 */
import { EngineError } from '../errors.js';
import { didYouMean } from '../language/did-you-mean.js';
import { type Location, type Locator, createLocator } from './locate.js';
import type { Entity, Enum, Property, Relation, Schema, Stage, View } from './model.js';

/** A schema with its look-ups. All of them return `undefined` for an unknown name. */
export interface Catalog {
  readonly schema: Schema;
  /** The stage of a query that names none: `default`, or the first one if none has that name. */
  readonly defaultStage: string;
  /** The view of a query that names none: `default`, or the first one if none has that name. */
  readonly defaultView: string;
  /** The view that restricts this catalog; `undefined` if it shows the whole schema. */
  readonly activeView: View | undefined;
  /** The catalog of the whole schema, in which the schema's own expressions are bound. */
  readonly unrestricted: Catalog;
  readonly entity: (name: string) => Entity | undefined;
  readonly property: (entity: string, name: string) => Property | undefined;
  readonly relation: (entity: string, name: string) => Relation | undefined;
  readonly enum: (name: string) => Enum | undefined;
  readonly stage: (name: string) => Stage | undefined;
  readonly view: (name: string) => View | undefined;
  /** The source and table of an entity in a stage, including columns that the view hides. */
  readonly locate: Locator;
  /** The row condition of the active view for an entity. */
  readonly rowFilter: (entity: string) => string | undefined;
}

/** Throws `unknown-stage`. */
export function requireStage(catalog: Pick<Catalog, 'schema' | 'stage'>, name: string): Stage {
  const stage = catalog.stage(name);
  if (stage) return stage;
  const names = catalog.schema.stages.map((each) => each.name);
  const hint = didYouMean(name, names) ?? `The schema has: ${names.slice(0, 10).join(', ')}.`;
  throw new EngineError('unknown-stage', `There is no stage '${name}'.`, { hint });
}

/** The catalog of a whole schema. */
export function createCatalog(schema: Schema): Catalog {
  const locate = createLocator(schema, indexLocations(schema));
  return assembleCatalog({ schema, locate, activeView: undefined });
}

/** The catalog of a schema under a single view, which hides nothing. */
export function wholeCatalog(schema: Schema): Catalog {
  return createCatalog({ ...schema, views: [{ name: 'whole', entities: [] }] });
}

type CatalogParts = Pick<Catalog, 'schema' | 'locate' | 'activeView'>;

/**
 * Assembles a catalog. Only `createCatalog` and `catalogUnderView` call it. Without `unrestricted`, the catalog itself is
 * the unrestricted one.
 */
export function assembleCatalog(parts: CatalogParts, unrestricted?: Catalog): Catalog {
  const { schema, locate, activeView } = parts;
  const entities = byName(schema.domain.entities);
  const properties = new Map(
    schema.domain.entities.map((entity) => [entity.name, byName(entity.properties)]),
  );
  const relations = new Map(
    schema.domain.entities.map((entity) => [entity.name, byName(entity.relations)]),
  );
  const enums = byName(schema.domain.enums);
  const stages = byName(schema.stages);
  const views = byName(schema.views);
  const viewEntities = byName(activeView?.entities ?? []);
  const catalog: Catalog = {
    schema,
    defaultStage: usualName(schema.stages),
    defaultView: usualName(schema.views),
    activeView,
    get unrestricted() {
      return unrestricted ?? catalog;
    },
    entity: (name) => entities.get(name),
    property: (entity, name) => properties.get(entity)?.get(name),
    relation: (entity, name) => relations.get(entity)?.get(name),
    enum: (name) => enums.get(name),
    stage: (name) => stages.get(name),
    view: (name) => views.get(name),
    locate,
    rowFilter: (entity) => viewEntities.get(entity)?.readExp,
  };
  return catalog;
}

interface Named {
  readonly name: string;
}

function byName<Item extends Named>(items: readonly Item[]): ReadonlyMap<string, Item> {
  return new Map(items.map((item) => [item.name, item]));
}

function indexLocations(schema: Schema): ReadonlyMap<string, ReadonlyMap<string, Location>> {
  const mappings = byName(schema.mappings);
  return new Map(
    schema.sources.map((source) => {
      const mapped = mappings.get(source.mapping)?.entities ?? [];
      const locations = mapped.map((entity): [string, Location] => [
        entity.name,
        { source, entity, columns: byName(entity.properties) },
      ]);
      return [source.name, new Map(locations)];
    }),
  );
}

function usualName(items: readonly Named[]): string {
  return items.some((item) => item.name === 'default') ? 'default' : (items[0]?.name ?? 'default');
}
