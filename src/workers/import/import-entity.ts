/** An entity whose rows are imported: how they are read and written, and what may nest in them. */
import {
  type Catalog,
  type CompiledQuery,
  type Entity,
  type RowsWrite,
  type StatementPlan,
  type WriteField,
  rowsWriteOf,
} from '../../engine/index.js';

/** A relation under whose name rows nest. */
export interface Nesting {
  readonly name: string;
  /** A number of its own, from 1, among those of the import. */
  readonly number: number;
  readonly parent: ImportEntity;
  /** Whose rows nest. */
  readonly entity: ImportEntity;
  /** Reads a nested row that gets its parent's key later. */
  readonly keyless: StatementPlan;
  /** The parent's properties that the relation starts from, and those of the nested row. */
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** The meaning of a name in a row. */
export type Member =
  | { readonly kind: 'value' }
  | { readonly kind: 'rows'; readonly nesting: Nesting }
  /** A to-one relation, given by its key. */
  | { readonly kind: 'reference'; readonly key: readonly string[] };

/** What an entity's rows are imported with. */
export interface ImportEntitySettings {
  /** A number of its own, from 0, among those of the import. */
  readonly number: number;
  /** The plan of a `bulkInsert` of it. */
  readonly plan: CompiledQuery;
  /** Whether the values of its rows are those of the columns, as an export has them. */
  readonly isStored: boolean;
  /** As the view shows it. */
  readonly shown: Catalog;
  readonly entity: Entity;
  /** The nesting of a relation to many, made when its first row comes. */
  readonly nestingOf: (parent: ImportEntity, relation: string) => Nesting;
}

export class ImportEntity {
  readonly name: string;
  readonly number: number;
  readonly plan: CompiledQuery;
  readonly isStored: boolean;
  readonly statement: StatementPlan;
  readonly write: RowsWrite;
  /** The fields that have a column, in the order of the properties. */
  readonly fields: readonly WriteField[];
  readonly #settings: ImportEntitySettings;
  readonly #members = new Map<string, Member>();

  constructor(settings: ImportEntitySettings) {
    const { plan, number, isStored, entity } = settings;
    this.#settings = settings;
    this.name = entity.name;
    this.number = number;
    this.plan = plan;
    this.isStored = isStored;
    this.statement = plan.root;
    this.write = rowsWriteOf(plan.root);
    this.fields = this.write.fields.filter(
      ({ value, default: fallback, fixed }) =>
        value.kind !== 'none' || fallback !== undefined || fixed !== undefined,
    );
    for (const { name } of entity.properties) this.#members.set(name, { kind: 'value' });
  }

  /** The meaning of a name in a row; undefined for a name that the view hides or the schema lacks. */
  member(name: string): Member | undefined {
    const known = this.#members.get(name);
    if (known) return known;
    const resolved = this.#settings.shown.relation(this.name, name);
    if (!resolved) return undefined;
    const member: Member =
      resolved.cardinality === 'many'
        ? { kind: 'rows', nesting: this.#settings.nestingOf(this, name) }
        : { kind: 'reference', key: resolved.relation.from };
    this.#members.set(name, member);
    return member;
  }

  /** All names with a meaning. */
  get names(): readonly string[] {
    const { properties, relations } = this.#settings.entity;
    return [...properties, ...relations].map(({ name }) => name);
  }

  field(property: string): WriteField | undefined {
    return this.fields.find((field) => field.property === property);
  }

  /** The field whose value the database makes, where there is one. */
  get generated(): WriteField | undefined {
    return this.fields.find((field) => field.generated);
  }
}
