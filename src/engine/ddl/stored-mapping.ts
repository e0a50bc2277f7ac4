/** The part of a mapping that a source stores: the entities that some stage assigns to it. */
import { invariant } from '../errors.js';
import { createCatalog } from '../schema/catalog.js';
import type { Action } from '../schema/locate.js';
import type { Mapping, Schema, Source } from '../schema/model.js';

const actions: readonly Action[] = ['select', 'insert', 'update', 'upsert', 'delete'];

/**
 * The mapping of a source without entities that no stage stores there. A source without a stage
 * keeps all.
 */
export function storedMapping(schema: Schema, source: Source): Mapping {
  const mapping = schema.mappings.find(({ name }) => name === source.mapping);
  invariant(mapping, `source ${source.name} has a mapping`);
  const stages = schema.stages.filter(({ sources }) =>
    sources.some(({ name }) => name === source.name),
  );
  if (stages.length === 0) return mapping;
  const { locate } = createCatalog(schema);
  const isKept = (entity: string): boolean =>
    stages.some((stage) =>
      actions.some((action) => locate(stage.name, entity, action)?.source.name === source.name),
    );
  return { ...mapping, entities: mapping.entities.filter(({ name }) => isKept(name)) };
}
