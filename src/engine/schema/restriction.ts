/** What a view hides and changes, by name. */
import type { View, ViewEntity, ViewProperty } from './model.js';

/** Answers questions about a view by name. */
export interface Restriction {
  readonly hidesEntity: (entity: string) => boolean;
  readonly hidesProperty: (entity: string, property: string) => boolean;
  /** Whether the view shows the property unchanged. */
  readonly keepsProperty: (entity: string, property: string) => boolean;
  /** Whether an expression contains the name of a hidden property of the entity. */
  readonly isNamedIn: (entity: string, expression: string) => boolean;
  /** Whether the view has an expression for the entity or one of its properties. */
  readonly readsOtherwise: (entity: string) => boolean;
  readonly ofProperty: (entity: string, property: string) => ViewProperty | undefined;
}

/** Indexes a view by name. */
export function createRestriction(view: View): Restriction {
  const entities = new Map(view.entities.map((entity) => [entity.name, entity]));
  const properties = new Map(
    view.entities.map((entity) => [
      entity.name,
      new Map(entity.properties.map((property) => [property.name, property])),
    ]),
  );
  return {
    hidesEntity: (entity) => entities.get(entity)?.exclude === true,
    hidesProperty: (entity, property) => properties.get(entity)?.get(property)?.exclude === true,
    keepsProperty: (entity, property) => {
      const known = properties.get(entity)?.get(property);
      return known?.exclude !== true && known?.readExp === undefined;
    },
    isNamedIn: (entity, expression) => {
      const words = new Set(expression.match(/[A-Za-z_$][\w$]*/g));
      return [...(properties.get(entity)?.values() ?? [])].some(
        (property) => property.exclude === true && words.has(property.name),
      );
    },
    readsOtherwise: (name) => {
      const entity = entities.get(name);
      return entity !== undefined && readsOtherwise(entity);
    },
    ofProperty: (entity, property) => properties.get(entity)?.get(property),
  };
}

/** Whether a view has a `readExp` for an entity or one of its properties. */
export function readsOtherwise(entity: ViewEntity): boolean {
  return [entity, ...entity.properties].some(({ readExp }) => readExp !== undefined);
}
