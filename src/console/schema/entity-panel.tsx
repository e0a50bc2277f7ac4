/** The details of an entity: its properties and relations, and example queries. */
import { type Entity, isToMany, type Property } from '../gateway/forms.js';
import { openQuery } from '../query/state.js';
import { shownView } from '../shown-view.js';
import { Icon } from '../ui/icons.js';

export interface EntityPanelProps {
  readonly entity: Entity;
  readonly choose: (entity: string) => void;
}

export function EntityPanel({ entity, choose }: EntityPanelProps) {
  const { name, description, properties, relations } = entity;
  const query = () => {
    openQuery({ query: `${name}.page(1, 50)` });
    shownView.value = 'query';
  };
  return (
    <section class="card entity-panel" aria-label={name}>
      <div class="bar">
        <h2>{name}</h2>
        <button type="button" class="button small bar-end" onClick={query}>
          <Icon name="play" filled /> Query
        </button>
      </div>
      {description !== undefined && <p class="description">{description}</p>}
      <h3>Properties</h3>
      <ul>
        {properties.map((property) => (
          <li key={property.name}>
            <code>{property.name}</code>
            <span class="type">
              {property.type}
              {property.length !== undefined && `(${property.length})`}
            </span>
            {factsOf(entity, property).map((fact) => (
              <span class="tag" key={fact}>
                {fact}
              </span>
            ))}
          </li>
        ))}
      </ul>
      <h3>Relations</h3>
      {relations.length === 0 && <p class="none">This entity has no relations.</p>}
      <ul>
        {relations.map((relation) => (
          <li key={relation.name}>
            <code>{relation.name}</code>
            <button type="button" class="link" onClick={() => choose(relation.entity)}>
              {relation.entity}
              {isToMany(relation) && '[]'}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function factsOf({ primaryKey, uniqueKey }: Entity, property: Property): readonly string[] {
  const { name } = property;
  return [
    ...(primaryKey.includes(name) ? ['key'] : []),
    ...(uniqueKey.includes(name) ? ['unique'] : []),
    ...(property.required ? ['required'] : []),
    ...(property.autoIncrement ? ['generated'] : []),
    ...(property.enum === undefined ? [] : [property.enum]),
  ];
}
