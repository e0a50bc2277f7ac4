/**
 * The answers of the schema endpoints. They contain only what the interface document lists, and no
 * connections or expressions. An unknown name gives `undefined`.
 */
import type { Catalog } from '../schema/catalog.js';
import type { Enum, Mapping, Source, Stage } from '../schema/model.js';
import { projectEntity, projectMappingEntity } from './project-entity.js';
import type {
  DomainDescription,
  EntityDescription,
  MappingEntityDescription,
} from './schema-descriptions.js';

/** `/schema/version`. */
export function describeVersion({ schema }: Catalog) {
  return { version: schema.version };
}

/** `/schema`. */
export function describeSchema(catalog: Catalog) {
  return { version: catalog.schema.version, domain: describeDomain(catalog) };
}

/** `/domain`. */
export function describeDomain(catalog: Catalog): DomainDescription {
  return {
    version: catalog.schema.domain.version,
    entities: describeEntities(catalog),
    enums: describeEnums(catalog),
  };
}

/** `/entities`. */
export function describeEntities({ schema }: Catalog): readonly EntityDescription[] {
  return schema.domain.entities.map(projectEntity);
}

/** `/entities/{name}`. */
export function describeEntity(catalog: Catalog, name: string): EntityDescription | undefined {
  const entity = catalog.entity(name);
  return entity && projectEntity(entity);
}

/** `/enums`. */
export function describeEnums({ schema }: Catalog): readonly Enum[] {
  return schema.domain.enums;
}

/** `/enums/{name}`. */
export function describeEnum(catalog: Catalog, name: string): Enum | undefined {
  return catalog.enum(name);
}

/** `/sources`. */
export function describeSources({ schema }: Catalog) {
  return schema.sources.map(projectSource);
}

/** `/sources/{name}`: a list of the one source. */
export function describeSource(catalog: Catalog, name: string) {
  const source = catalog.schema.sources.find((each) => each.name === name);
  return source && [projectSource(source)];
}

/** `/mappings`. */
export function describeMappings({ schema }: Catalog) {
  return schema.mappings.map(projectMapping);
}

/** `/mappings/{name}`. */
export function describeMapping(catalog: Catalog, name: string) {
  const mapping = mappingNamed(catalog, name);
  return mapping && projectMapping(mapping);
}

/** `/mappings/{name}/{entity}`. */
export function describeMappingEntity(
  catalog: Catalog,
  mapping: string,
  entity: string,
): MappingEntityDescription | undefined {
  const found = mappingNamed(catalog, mapping)?.entities.find(({ name }) => name === entity);
  return found && projectMappingEntity(found);
}

function mappingNamed({ schema }: Catalog, name: string): Mapping | undefined {
  return schema.mappings.find((each) => each.name === name);
}

/** `/views`: the names of the views. */
export function describeViews({ schema }: Catalog): readonly string[] {
  return schema.views.map((view) => view.name);
}

/** `/stages`. */
export function describeStages({ schema }: Catalog) {
  return schema.stages.map(projectStage);
}

/** `/stages/{name}`. */
export function describeStage(catalog: Catalog, name: string) {
  const stage = catalog.stage(name);
  return stage && projectStage(stage);
}

function projectSource({ name, dialect }: Source) {
  return { name, dialect };
}

function projectMapping({ name, entities }: Mapping) {
  return { name, entities: entities.map(projectMappingEntity) };
}

function projectStage({ name, sources }: Stage) {
  return { name, sources: sources.map((source) => ({ name: source.name })) };
}
