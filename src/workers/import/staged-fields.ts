/** The properties that rows of an entity are staged with, and what is done with their values. */
import {
  type Capabilities,
  type Catalog,
  compileQuery,
  createCatalog,
  dialectOf,
  type Entity,
  type IntegerBits,
  rowFields,
  RowTreatment,
  type RowsWrite,
  rowsWriteOf,
  writtenSql,
} from '../../engine/index.js';
import type { StagedEntitySettings } from './staged-entity.js';

/** Where rows of an entity are imported, and how. */
export interface FieldsOrder {
  /** As the view shows it. */
  readonly catalog: Catalog;
  readonly stage: string;
  readonly entity: Entity;
  readonly isStored: boolean;
  readonly around: Capabilities;
  readonly bitsOf: (property: string) => IntegerBits | undefined;
}

type StagedFields = Pick<StagedEntitySettings, 'fields' | 'hidden' | 'treatment' | 'written'>;

/** What the entity's rows are staged with. Throws an `EngineError` where the stage takes none. */
export function stagedFields(order: FieldsOrder): StagedFields {
  const { catalog, entity, around, bitsOf } = order;
  const whole = catalog.unrestricted.entity(entity.name) ?? entity;
  const shown = new Set(entity.properties.map(({ name }) => name));
  const all = rowFields(whole, { enumOf: catalog.enum, now: around.now, bitsOf });
  const fields = all.filter(
    ({ property: { name, default: fallback, key } }) =>
      shown.has(name) || fallback !== undefined || key !== undefined,
  );
  const hidden = new Set(
    fields.flatMap(({ property: { name } }) => (shown.has(name) ? [] : [name])),
  );
  const isPlain = fields.every(({ absent }) => absent !== undefined) && !isTreated(whole);
  if (isPlain) return { fields, hidden, treatment: undefined, written: new Map() };
  const { write, source } = bulkInsertOf(order);
  const properties = fields.map(({ property: { name } }) => name);
  const { isStored } = order;
  return {
    fields,
    hidden,
    treatment: new RowTreatment({ entity: entity.name, write, properties, isStored, around }),
    written: isStored ? new Map() : writtenBy(write, source),
  };
}

function isTreated({ constraints, hadWriteExps, hadWriteValues }: Entity): boolean {
  return constraints.length > 0 || hadWriteExps || hadWriteValues;
}

const limits = { expressionLengthMax: 1 << 20, nestingMax: 64, includeDepthMax: 1 };
const WHOLE = 'whole';

function bulkInsertOf({ catalog, stage, entity }: FieldsOrder) {
  const { schema } = catalog.unrestricted;
  const view = catalog.activeView ?? { name: WHOLE, entities: [] };
  const own = createCatalog({ ...schema, views: [view] });
  const expression = `${entity.name}.bulkInsert()`;
  const { root } = compileQuery(own, { expression, stage, view: view.name, limits });
  return { write: rowsWriteOf(root), source: root };
}

function writtenBy(
  { fields }: RowsWrite,
  { dialect }: { readonly dialect: Parameters<typeof dialectOf>[0] },
): StagedFields['written'] {
  const changed = fields.filter(({ writeExp }) => writeExp);
  return new Map(
    changed.map((field) => [field.property, (sql) => writtenSql(dialectOf(dialect), field, sql)]),
  );
}
