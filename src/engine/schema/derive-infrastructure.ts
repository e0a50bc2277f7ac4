/** Derives sources, stages and views: sets defaults and checks the names in them. */
import { compileCondition } from './condition.js';
import type { Declared, DeclaredSource } from './declared.js';
import { type DocumentNode, childNode, orReport } from './document.js';
import { checkName } from './hint.js';
import type { Domain, Entity, Mapping, Schema, Source, Stage, View, ViewEntity } from './model.js';

/** The sources with their mappings; the default is the first mapping, as in lambdaorm. */
export function deriveSources(
  declarations: readonly DeclaredSource[],
  mappings: readonly Mapping[],
): readonly Source[] {
  const names = new Set(mappings.map((mapping) => mapping.name));
  const usual = mappings[0]?.name ?? 'default';
  const passesDefault = usual !== 'default' && names.has('default');
  if (declarations.length === 0) {
    return [{ name: 'default', dialect: 'PostgreSQL', mapping: usual, connection: {} }];
  }
  return declarations.map(({ node, mapping, ...source }) => {
    if (mapping === undefined) {
      return { ...source, mapping: usual, ...(passesDefault && { passesDefaultMapping: true }) };
    }
    checkName(childNode(node, 'mapping'), { what: 'mapping', name: mapping, known: names });
    return { ...source, mapping };
  });
}

/** The stages; by default a single one with all sources. */
export function deriveStages(
  declarations: readonly Declared<Stage>[],
  { sources, views, enums }: Pick<Schema, 'sources' | 'views'> & Pick<Domain, 'enums'>,
): readonly Stage[] {
  const known = new Set(sources.map((source) => source.name));
  const knownViews = new Set(views.map((view) => view.name));
  if (declarations.length === 0) {
    return [{ name: 'default', sources: sources.map(({ name }) => ({ name })) }];
  }
  return declarations.map(({ node, value }) => {
    const { view } = value;
    if (view !== undefined) {
      checkName(childNode(node, 'view'), { what: 'view', name: view, known: knownViews });
    }
    value.sources.forEach(({ name, condition }, index) => {
      const place = childNode(childNode(node, 'sources'), index);
      checkName(childNode(place, 'name'), { what: 'source', name, known });
      if (condition === undefined) return;
      orReport(childNode(place, 'condition'), () => compileCondition(condition, enums));
    });
    return value;
  });
}

/** The views; by default a single one that shows everything. */
export function deriveViews(
  declarations: readonly Declared<View>[],
  entities: readonly Entity[],
): readonly View[] {
  const known = new Map(entities.map((entity) => [entity.name, entity]));
  if (declarations.length === 0) return [{ name: 'default', entities: [] }];
  return declarations.map(({ node, value }) => {
    value.entities.forEach((each, index) =>
      checkViewEntity(childNode(childNode(node, 'entities'), index), each, known),
    );
    return value;
  });
}

function checkViewEntity(
  node: DocumentNode,
  { name, properties }: ViewEntity,
  entities: ReadonlyMap<string, Entity>,
): void {
  const entity = entities.get(name);
  if (!entity) {
    checkName(childNode(node, 'name'), { what: 'entity', name, known: entities });
    return;
  }
  const known = new Set(entity.properties.map((property) => property.name));
  properties.forEach((property, index) => {
    const place = childNode(childNode(childNode(node, 'properties'), index), 'name');
    checkName(place, { what: 'property', name: property.name, known, owner: name });
  });
}
