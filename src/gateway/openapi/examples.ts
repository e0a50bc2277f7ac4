/** Examples for the served domain. A test sends each of them. */
import {
  describeMappings,
  describeSources,
  describeStages,
  type EntityDescription,
} from '../../engine/index.js';
import { type Sight, visibleEntities, visibleEnums } from './sight.js';

export type ExampleBodies = ReturnType<typeof exampleBodies>;

export function exampleBodies(sight: Sight) {
  const [entity] = visibleEntities(sight);
  const rows = entity && { query: firstRows(entity) };
  const parameter = entity && byKey(entity);
  const include = entity && including(entity, sight);
  const query = {
    ...(rows && { rows }),
    ...(parameter && { parameter }),
    ...(include && { include: { query: include } }),
  };
  const queries = Object.values(query);
  return {
    query,
    execute: { ...query, ...(rows && { list: queries }) },
    transaction: rows
      ? { list: queries, object: { steps: [rows], options: { readOnly: true } } }
      : {},
    import: { nothing: { entities: [] } },
  };
}

export type ExampleNames = ReturnType<typeof exampleNames>;

/** Example values for names in paths; undefined if there is none. */
export function exampleNames(sight: Sight) {
  const { catalog, stages } = sight;
  const isAllowed = ({ name }: { readonly name: string }) => stages?.includes(name) ?? true;
  return {
    entity: visibleEntities(sight)[0]?.name,
    enum: visibleEnums(sight)[0]?.name,
    source: describeSources(catalog)[0]?.name,
    mapping: describeMappings(catalog)[0]?.name,
    stage: describeStages(catalog).find(isAllowed)?.name,
    file: 'docs.css',
  };
}

function firstRows({ name, primaryKey: [key] }: EntityDescription): string {
  return key === undefined ? `${name}.take(2)` : `${name}.sort(p=>p.${key}).take(2)`;
}

/** A query for one row; undefined if the key is of a type without an example. */
function byKey({ name, primaryKey: [key], properties }: EntityDescription) {
  const type = properties.find((each) => each.name === key)?.type;
  const value = type === 'integer' ? 1 : type === 'string' ? 'A' : undefined;
  if (key === undefined || value === undefined) return undefined;
  return { query: `${name}.filter(p=>p.${key}==value)`, data: { value } };
}

/** A query that includes a relation; undefined if there is none. */
function including(entity: EntityDescription, { isVisible }: Sight): string | undefined {
  const relation = entity.relations.find((each) => isVisible(each.entity));
  return relation && `${firstRows(entity)}.include(p=>p.${relation.name})`;
}
