/**
 * The answers of the schema endpoints. They contain only what the interface document lists, and no
 * connections or expressions. An unknown name gives `undefined`.
 */
import type { Catalog } from '../schema/catalog.js';
import type { Enum, Mapping, Stage } from '../schema/model.js';
import { projectEntity, projectMappingEntity } from './project-entity.js';

/** `/schema/version`. */
export function describeVersion({ schema }: Catalog) {
  return { version: schema.version };
}

/** `/schema`. */
export function describeSchema(catalog: Catalog) {
  return { version: catalog.schema.version, domain: describeDomain(catalog) };
}

/** `/domain`. */
export function describeDomain(catalog: Catalog) {
  return {
    version: catalog.schema.domain.version,
    entities: describeEntities(catalog),
    enums: describeEnums(catalog),
  };
}

export type DomainDescription = ReturnType<typeof describeDomain>;

/** `/entities`, and `/entities/{name}`. */
export const [describeEntities, describeEntity] = describing(
  ({ schema }) => schema.domain.entities,
  projectEntity,
);

/** `/enums`, and `/enums/{name}`. */
export const [describeEnums, describeEnum] = describing(
  ({ schema }) => schema.domain.enums,
  (each: Enum) => each,
);

/** `/sources`. */
export function describeSources({ schema }: Catalog) {
  return schema.sources.map(({ name, dialect }) => ({ name, dialect }));
}

/** `/sources/{name}`: a list of the one source. */
export function describeSource(catalog: Catalog, name: string) {
  const source = named(describeSources(catalog), name);
  return source && [source];
}

/** `/mappings`, and `/mappings/{name}`. */
export const [describeMappings, describeMapping] = describing(
  ({ schema }) => schema.mappings,
  ({ name, entities }: Mapping) => ({ name, entities: entities.map(projectMappingEntity) }),
);

/** `/mappings/{name}/{entity}`. */
export function describeMappingEntity({ schema }: Catalog, mapping: string, entity: string) {
  const found = named(named(schema.mappings, mapping)?.entities ?? [], entity);
  return found && projectMappingEntity(found);
}

/** `/views`: the names of the views. */
export function describeViews({ schema }: Catalog): readonly string[] {
  return schema.views.map((view) => view.name);
}

/** `/stages`, and `/stages/{name}`. */
export const [describeStages, describeStage] = describing(
  ({ schema }) => schema.stages,
  ({ name, sources }: Stage) => ({
    name,
    sources: sources.map((source) => ({ name: source.name })),
  }),
);

/** Functions that describe all items of the schema, and the one with a name. */
function describing<Item extends { readonly name: string }, Description>(
  itemsOf: (catalog: Catalog) => readonly Item[],
  describe: (item: Item) => Description,
) {
  return [
    (catalog: Catalog): readonly Description[] => itemsOf(catalog).map((item) => describe(item)),
    (catalog: Catalog, name: string): Description | undefined => {
      const item = named(itemsOf(catalog), name);
      return item && describe(item);
    },
  ] as const;
}

function named<Item extends { readonly name: string }>(items: readonly Item[], name: string) {
  return items.find((item) => item.name === name);
}
