/**
 * Reports two properties of an entity that are written to one column: setting one would change the other,
 * and a write of both fails. Which names are one column depends on the database.
 */
import { columnKeyOf } from '../ddl/columns-of.js';
import { storedMapping } from '../ddl/stored-mapping.js';
import { dialectOf } from '../dialects/dialects.js';
import { hasColumn } from '../schema/derive-property.js';
import { childNode, type DocumentNode, namedNodes, report } from '../schema/document.js';
import type { MappingEntity, MappingProperty, Schema, Source } from '../schema/model.js';

/** Reports errors at the nodes of the document. */
export function checkColumns(schema: Schema, root: DocumentNode): void {
  const mappings = new Map(schema.mappings.map((mapping) => [mapping.name, mapping]));
  const written = new Map(
    schema.domain.entities.map(({ name, properties }) => [
      name,
      new Set(properties.filter((each) => !each.view).map((each) => each.name)),
    ]),
  );
  for (const source of schema.sources) {
    for (const entity of mappings.get(source.mapping)?.entities ?? []) {
      const names = written.get(entity.name);
      const shared = entity.view ? undefined : sharedColumn(entity, names ?? new Set(), source);
      if (!shared || !isStored(schema, source, entity)) continue;
      report(nodeOf(entity, shared[1], source, root), messageOf(entity, shared, source), HINT);
    }
  }
}

const HINT = 'Give one of them another column, or make it readOnly.';

type Pair = readonly [one: MappingProperty, other: MappingProperty];

/** The first two written properties with the same column. */
function sharedColumn(
  entity: MappingEntity,
  written: ReadonlySet<string>,
  { dialect }: Source,
): Pair | undefined {
  const { ddl } = dialectOf(dialect);
  const byColumn = new Map<string, MappingProperty>();
  for (const property of entity.properties) {
    const isWritten = written.has(property.name) || property.key !== undefined;
    if (!isWritten || !hasColumn(property)) continue;
    const key = columnKeyOf(property, ddl);
    const before = byColumn.get(key);
    if (before) return [before, property];
    byColumn.set(key, property);
  }
  return undefined;
}

/** Whether some stage stores the entity in the source. */
function isStored(schema: Schema, source: Source, { name }: MappingEntity): boolean {
  return storedMapping(schema, source).entities.some((each) => each.name === name);
}

function messageOf({ name: entity }: MappingEntity, [one, other]: Pair, source: Source): string {
  const { name, dialect } = source;
  const why =
    one.mapping === other.mapping
      ? ''
      : `: ${dialect} does not distinguish '${one.mapping}' from '${other.mapping}'`;
  return `Properties '${one.name}' and '${other.name}' of entity '${entity}' have the same column '${other.mapping}' in source '${name}'${why}.`;
}

/** The property in the mapping, or in the domain if the mapping does not contain it. */
function nodeOf(
  entity: MappingEntity,
  property: MappingProperty,
  source: Source,
  root: DocumentNode,
): DocumentNode {
  const mappings = namedNodes(childNode(childNode(root, 'infrastructure'), 'mappings'));
  const own = [mappings.get(source.mapping), childNode(root, 'domain')].map(
    (node) => node && namedNodes(childNode(node, 'entities')).get(entity.name),
  );
  const found = own.map(
    (node) => node && namedNodes(childNode(node, 'properties')).get(property.name),
  );
  return found.find(Boolean) ?? own.find(Boolean) ?? root;
}
