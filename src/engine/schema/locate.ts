/** Where a stage keeps an entity: the first of its sources whose condition holds. */
import type { MappingEntity, MappingProperty, Source, Stage, StageSource } from './model.js';

/** What a query does with an entity. */
export type Action = 'select' | 'insert' | 'update' | 'upsert' | 'delete';

/** What the condition of a stage's source sees. */
export interface LocationRequest {
  readonly entity: string;
  readonly action: Action;
}

/** Tells whether a condition holds; the one place where conditions are given their meaning. */
export type ConditionTest = (condition: string, request: LocationRequest) => boolean;

/** Where an entity lives: its database, its table, its columns. */
export interface Location {
  readonly source: Source;
  readonly entity: MappingEntity;
  /** The columns by the names of their properties. */
  readonly columns: ReadonlyMap<string, MappingProperty>;
}

/** What `createLocator` reads. */
export interface LocatorInput {
  readonly stages: readonly Stage[];
  readonly holds: ConditionTest;
  /** Source by name, its mapping's entities by name. */
  readonly locations: ReadonlyMap<string, ReadonlyMap<string, Location>>;
}

/** A look-up of locations; each is found once, and remembered. */
export type Locator = (stage: string, entity: string, action: Action) => Location | undefined;

/** A locator over all stages. What it remembers is bounded by stages × entities × actions. */
export function createLocator({ stages, holds, locations }: LocatorInput): Locator {
  const found = new Map(
    stages.map((stage) => [stage.name, { stage, memory: new Map<string, Location>() }]),
  );
  return (stageName, entity, action) => {
    const known = found.get(stageName);
    if (!known) return undefined;
    const key = `${action} ${entity}`;
    const remembered = known.memory.get(key);
    if (remembered) return remembered;
    const source = known.stage.sources.find((each) => isChosen(each, { entity, action }, holds));
    const location = source && locations.get(source.name)?.get(entity);
    if (location) known.memory.set(key, location);
    return location;
  };
}

function isChosen(source: StageSource, request: LocationRequest, holds: ConditionTest): boolean {
  return source.condition === undefined || holds(source.condition, request);
}
