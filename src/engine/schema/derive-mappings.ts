/**
 * Derives the mappings: the table and columns of every entity. Without a declaration, a table has
 * the name of its entity (`Orders.details`: `Orders_details`), and a column that of its property.
 */
import { present } from './decode-value.js';
import type {
  DeclaredMapping,
  DeclaredMappingEntity,
  DeclaredMappingProperty,
} from './declared.js';
import { limitOf } from './derive-property.js';
import { childNode, report } from './document.js';
import { hintAt } from './hint.js';
import { extendMapping, extendMappingEntity, resolveExtends } from './inherit.js';
import type { Entity, Mapping, MappingEntity, MappingProperty, Property } from './model.js';

/** All mappings, completed; one named `default` if none are declared. */
export function deriveMappings(
  declarations: readonly DeclaredMapping[],
  domain: MappedDomain,
): readonly Mapping[] {
  const resolved = resolveExtends(declarations, extendMapping);
  if (resolved.length === 0) return [mapEntities('default', [], domain)];
  declarations.forEach((mapping) => checkMapping(mapping, domain));
  return resolved.map((mapping) =>
    mapEntities(mapping.name, resolveExtends(mapping.entities, extendMappingEntity), domain),
  );
}

/** What the mappings refer to. */
export interface MappedDomain {
  readonly entities: readonly Entity[];
  /** The names of abstract entities, whose mappings can be extended. */
  readonly abstractNames: ReadonlySet<string>;
}

function mapEntities(
  name: string,
  declarations: readonly DeclaredMappingEntity[],
  domain: MappedDomain,
): Mapping {
  const byName = new Map(declarations.map((declared) => [declared.name, declared]));
  return {
    name,
    entities: domain.entities.map((entity) => mapEntity(entity, byName.get(entity.name))),
  };
}

function mapEntity(entity: Entity, declared: DeclaredMappingEntity | undefined): MappingEntity {
  const columns = new Map(declared?.properties.map((column) => [column.name, column]));
  const known = new Set(entity.properties.map((property) => property.name));
  const additional = [...columns.values()].filter(
    (column) => !known.has(column.name) && isSelfContained(column),
  );
  for (const property of entity.properties) checkMembers(property, columns.get(property.name));
  const properties = [
    ...entity.properties.map((property) => mapProperty(property, columns.get(property.name))),
    ...additional.map((column) => mapProperty(additionalProperty(column), column)),
  ];
  return {
    ...entity,
    mapping: declared?.mapping ?? entity.name.replaceAll('.', '_'),
    properties,
    ...present({ filter: declared?.filter }),
    hadKeys: properties.some((property) => property.key !== undefined),
  };
}

function mapProperty(
  property: Property,
  column: DeclaredMappingProperty | undefined,
): MappingProperty {
  const { length: written, ...others } = { ...property, ...column?.members };
  const length = written === undefined ? undefined : limitOf(written);
  return {
    ...others,
    ...present({ length }),
    ...(property.enum !== undefined && present({ default: property.default })),
    mapping: column?.mapping ?? property.name,
    ...(column?.readMappingExp !== undefined && { readMappingExp: column.readMappingExp }),
  };
}

/** The members that say what requests may do with a property, in all sources alike. Others describe the column. */
const domainMembers = [
  ...(['view', 'default', 'enum'] as const),
  ...(['readExp', 'readValue', 'writeValue', 'writeExp'] as const),
];

/** Reports members that only the domain can set. Files that lambdaorm completed repeat those of the domain. */
function checkMembers(property: Property, column: DeclaredMappingProperty | undefined): void {
  if (!column) return;
  for (const name of domainMembers) {
    const value = column.members[name];
    // The domain's default may be a member of an enum, which it has been replaced by already.
    const isMember = name === 'default' && property.enum !== undefined;
    if (value === undefined || isMember || value === (property[name] ?? false)) continue;
    const member = name === 'view' ? 'readOnly' : name;
    const detail = `A mapping cannot set '${member}' of property '${property.name}'.`;
    report(column.node, detail, 'Write it in the domain.');
  }
}

/** A column that is not in the domain belongs to the mapping alone, for its filters. */
function isSelfContained(column: DeclaredMappingProperty): boolean {
  const { type, length, key } = column.members;
  return type !== undefined || length !== undefined || key !== undefined;
}

function additionalProperty({ name }: DeclaredMappingProperty): Property {
  return { name, type: 'string', required: false };
}

function checkMapping(mapping: DeclaredMapping, domain: MappedDomain): void {
  const entities = new Map(domain.entities.map((entity) => [entity.name, entity]));
  for (const declared of mapping.entities) {
    if (declared.abstract || domain.abstractNames.has(declared.name)) continue;
    const entity = entities.get(declared.name);
    if (entity) {
      checkColumns(declared, entity);
      checkView(declared, entity);
    } else {
      const node = childNode(declared.node, 'name');
      const hint = hintAt(node, declared.name, entities.keys());
      report(node, `There is no entity '${declared.name}' in the domain.`, hint);
    }
  }
}

function checkView({ node, view }: DeclaredMappingEntity, entity: Entity): void {
  if (view !== true || entity.view) return;
  const detail = `A mapping cannot set 'readOnly' of entity '${entity.name}'.`;
  report(childNode(node, 'view'), detail, 'Write it in the domain.');
}

function checkColumns(declared: DeclaredMappingEntity, entity: Entity): void {
  const known = new Set(entity.properties.map((property) => property.name));
  for (const column of declared.properties) {
    if (known.has(column.name) || isSelfContained(column)) continue;
    report(
      childNode(column.node, 'name'),
      `There is no property '${column.name}' in '${entity.name}'.`,
      hintAt(column.node, column.name, known) ??
        'If it is a column for filters only, give it a type.',
    );
  }
}
