/** What a view hides and changes, by name. */
import type { View, ViewEntity } from './model.js';

/** Answers questions about a view by name. */
export type Restriction = ReturnType<typeof createRestriction>;

/** Indexes a view by name. */
export function createRestriction(view: View) {
  const entities = new Map(view.entities.map((entity) => [entity.name, entity]));
  const properties = new Map(
    view.entities.map((entity) => [
      entity.name,
      new Map(entity.properties.map((property) => [property.name, property])),
    ]),
  );
  const ofProperty = (entity: string, property: string) => properties.get(entity)?.get(property);
  return {
    ofProperty,
    hidesEntity: (entity: string) => entities.get(entity)?.exclude === true,
    hidesProperty: (entity: string, name: string) => ofProperty(entity, name)?.exclude === true,
    /** Whether the view shows the property unchanged. */
    keepsProperty: (entity: string, property: string) => {
      const known = ofProperty(entity, property);
      return known?.exclude !== true && known?.readExp === undefined;
    },
    /** Whether an expression contains the name of a hidden property of the entity. */
    isNamedIn: (entity: string, expression: string) => {
      const words = new Set(expression.match(/[A-Za-z_$][\w$]*/g));
      return [...(properties.get(entity)?.values() ?? [])].some(
        (property) => property.exclude === true && words.has(property.name),
      );
    },
    /** Whether the view has an expression for the entity or one of its properties. */
    readsOtherwise: (name: string) => {
      const entity = entities.get(name);
      return entity !== undefined && readsOtherwise(entity);
    },
  };
}

/** Whether a view has a `readExp` for an entity or one of its properties. */
export function readsOtherwise(entity: ViewEntity): boolean {
  return [entity, ...entity.properties].some(({ readExp }) => readExp !== undefined);
}
