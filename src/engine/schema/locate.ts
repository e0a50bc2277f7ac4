/** Finds where a stage keeps an entity: in the first source whose condition holds. */
import { compileCondition } from './condition.js';
import type { Schema, MappingEntity, MappingProperty, Source } from './model.js';

/** What a query does with an entity. */
export type Action = 'select' | 'insert' | 'update' | 'upsert' | 'delete';

/** The variables of a condition. */
export interface LocationRequest {
  readonly entity: string;
  readonly action: Action;
}

/** The database, table and columns of an entity. */
export interface Location {
  readonly source: Source;
  readonly entity: MappingEntity;
  /** The columns by the names of their properties. */
  readonly columns: ReadonlyMap<string, MappingProperty>;
}

/** Looks up locations; each is computed once and cached. */
export type Locator = (stage: string, entity: string, action: Action) => Location | undefined;

/** Locations by the names of source and entity. */
export type Locations = ReadonlyMap<string, ReadonlyMap<string, Location>>;

/** A locator for all stages. Its cache is bounded by stages × entities × actions. */
export function createLocator(
  { stages, domain: { enums } }: Pick<Schema, 'stages' | 'domain'>,
  locations: Locations,
): Locator {
  const found = new Map(
    stages.map((stage) => [
      stage.name,
      {
        candidates: stage.sources.map(({ name, condition }) => ({
          source: name,
          holds: condition === undefined ? () => true : compileCondition(condition, enums),
        })),
        memory: new Map<string, Location>(),
      },
    ]),
  );
  return (stageName, entity, action) => {
    const stage = found.get(stageName);
    if (!stage) return undefined;
    const key = `${action} ${entity}`;
    const remembered = stage.memory.get(key);
    if (remembered) return remembered;
    const chosen = stage.candidates.find(({ holds }) => holds({ entity, action }));
    const location = chosen && locations.get(chosen.source)?.get(entity);
    if (location) stage.memory.set(key, location);
    return location;
  };
}
