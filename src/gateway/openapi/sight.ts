/** What a sender may see of the domain in the OpenAPI document. */
import {
  type Catalog,
  describeEntities,
  describeEnums,
  type EntityDescription,
} from '../../engine/index.js';

/** The parts of the domain that a sender may see. */
export interface Sight {
  readonly catalog: Catalog;
  readonly isVisible: (entity: string) => boolean;
  /** Whether the sender may read the schema, and so see an enum that no property uses. */
  readonly seesUnusedEnums: boolean;
  /** The stages that the sender may use; undefined: all. */
  readonly stages: readonly string[] | undefined;
}

export type DomainSight = Omit<Sight, 'stages'>;

export function visibleEntities({ catalog, isVisible }: DomainSight): readonly EntityDescription[] {
  return describeEntities(catalog).filter(({ name }) => isVisible(name));
}

/** The enums of properties that the sender may see, and those that no property has. */
export function visibleEnums(sight: DomainSight): ReturnType<typeof describeEnums> {
  const { catalog, seesUnusedEnums } = sight;
  const seen = enumsOf(visibleEntities(sight));
  const used = enumsOf(describeEntities(catalog.unrestricted));
  return describeEnums(catalog).filter(({ name }) => {
    return seen.has(name) || (seesUnusedEnums && !used.has(name));
  });
}

function enumsOf(entities: readonly EntityDescription[]): ReadonlySet<string | undefined> {
  return new Set(entities.flatMap(({ properties }) => properties.map((each) => each.enum)));
}
