/** An entity whose rows are imported: how they are read and written, and which rows they may nest. */
import {
  type Catalog,
  type CompiledQuery,
  type Entity,
  type RowsWrite,
  type StatementPlan,
  type WriteField,
  rowsWriteOf,
} from '../../engine/index.js';

/** A relation whose rows are nested under its name. */
export interface Nesting {
  readonly name: string;
  /** Its number among the nestings of the import, from 1. */
  readonly number: number;
  readonly parent: ImportEntity;
  readonly entity: ImportEntity;
  /** Reads a nested row that gets its parent's key later. */
  readonly keyless: StatementPlan;
  /** The parent's key properties, and the properties of the nested row that refer to them. */
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** The meaning of a member of a row. */
export type Member =
  | { readonly kind: 'value' }
  | { readonly kind: 'rows'; readonly nesting: Nesting }
  /** A to-one relation, given by its key. */
  | { readonly kind: 'reference'; readonly key: readonly string[] };

export interface ImportEntitySettings {
  /** Its number among the entities of the import, from 0. */
  readonly number: number;
  /** The plan of its `bulkInsert`. */
  readonly plan: CompiledQuery;
  /** Whether its values are the stored ones, as in a complete export. */
  readonly isStored: boolean;
  /** The catalog under the view. */
  readonly shown: Catalog;
  readonly entity: Entity;
  /** The nesting of a to-many relation, created when its first row arrives. */
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
  /** The fields whose values the database generates if they are absent. */
  readonly generated: readonly WriteField[];
  /** These, and those that the database may number by a default of its own. */
  readonly numbered: readonly WriteField[];
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
    this.generated = this.fields.filter((field) => field.generated);
    const filledIn = new Set(
      entity.properties.filter((each) => each.databaseDefault).map(({ name }) => name),
    );
    this.numbered = this.fields.filter(
      ({ generated, type, property }) =>
        generated || (type === 'integer' && filledIn.has(property)),
    );
    for (const { name } of entity.properties) this.#members.set(name, { kind: 'value' });
  }

  /**
   * The meaning of a name in a row; undefined if the view hides it or the schema does not have it.
   */
  member(name: string): Member | undefined {
    const known = this.#members.get(name);
    if (known) return known;
    const relation = this.#settings.shown.relation(this.name, name);
    // The rows of a join table are imported separately.
    if (!relation || relation.through) return undefined;
    const member: Member =
      relation.type === 'manyToOne'
        ? { kind: 'rows', nesting: this.#settings.nestingOf(this, name) }
        : { kind: 'reference', key: relation.from };
    this.#members.set(name, member);
    return member;
  }

  /** The entities whose rows are nested in its rows in the document. */
  get nested(): readonly ImportEntity[] {
    return [...this.#members.values()].flatMap((member) =>
      member.kind === 'rows' ? [member.nesting.entity] : [],
    );
  }

  get names(): readonly string[] {
    const { properties, relations } = this.#settings.entity;
    return [...properties, ...relations].map(({ name }) => name);
  }

  field(property: string): WriteField | undefined {
    return this.fields.find((field) => field.property === property);
  }

  /** The field with this stored column; on MySQL and MariaDB, names of columns ignore case. */
  fieldOfColumn(column: string): WriteField | undefined {
    const name = column.toLowerCase();
    return this.fields.find(({ storedColumn }) => storedColumn.toLowerCase() === name);
  }
}
