/** Derives the schema that the engine uses from the declared one. */
import type { DeclaredSchema } from './declared.js';
import { deriveEntities, deriveEnums } from './derive-domain.js';
import { deriveSources, deriveStages, deriveViews } from './derive-infrastructure.js';
import { deriveMappings } from './derive-mappings.js';
import type { Entity, Schema, View } from './model.js';
import { readsOtherwise } from './restriction.js';

/** The completed schema. Problems are reported at the nodes of the declarations. */
export function deriveSchema(declared: DeclaredSchema): Schema {
  const enums = deriveEnums(declared.enums);
  const plain = deriveEntities(declared.entities, enums);
  const views = deriveViews(declared.views, plain);
  const entities = markViewReads(plain, views);
  const abstractNames = new Set(
    declared.entities.filter((entity) => entity.abstract).map((entity) => entity.name),
  );
  const mappings = deriveMappings(declared.mappings, { entities, abstractNames });
  const sources = deriveSources(declared.sources, mappings);
  return {
    version: declared.version,
    domain: { version: declared.version, entities, enums },
    mappings,
    sources,
    stages: deriveStages(declared.stages, { sources, views, enums }),
    views,
    listeners: declared.listeners,
  };
}

/** The entities; `hadViewReadExp` is true for those with a `readExp` in one of the views. */
function markViewReads(entities: readonly Entity[], views: readonly View[]): readonly Entity[] {
  const read = new Set(
    views
      .flatMap((view) => view.entities)
      .filter(readsOtherwise)
      .map((entity) => entity.name),
  );
  return entities.map((entity) => ({ ...entity, hadViewReadExp: read.has(entity.name) }));
}
