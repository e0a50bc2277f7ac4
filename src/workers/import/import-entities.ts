/** The entities of an import. Each one is compiled as a `bulkInsert` when its first row arrives. */
import {
  type Catalog,
  catalogUnderView,
  compileQuery,
  type CompiledQuery,
  didYouMean,
  type Entity,
  EngineError,
  invariant,
  referencesOf,
  rowsWriteOf,
} from '../../engine/index.js';
import { ImportEntity, type Nesting } from './import-entity.js';
import { storedPlan } from './stored-plan.js';

/** The error for a name or a value that the schema does not allow. */
export function invalid(place: string, detail: string, hint?: string): EngineError {
  return new EngineError('import-invalid', detail, { place, hint });
}

export interface EntitySettings {
  readonly catalog: Catalog;
  readonly stage: string;
  readonly view: string;
}

/** The expressions are made from the schema, so only the schema limits them. */
const limits = { expressionLengthMax: 1 << 20, nestingMax: 64, includeDepthMax: 1 };

export class ImportEntities {
  readonly #settings: EntitySettings;
  readonly #visible: Catalog;
  readonly #known = new Map<string, ImportEntity>();
  #nestings = 0;

  constructor(settings: EntitySettings) {
    this.#settings = settings;
    this.#visible = catalogUnderView(settings.catalog, settings.view);
  }

  /** In the order of their first rows. */
  get all(): readonly ImportEntity[] {
    return [...this.#known.values()];
  }

  /**
   * The entity of that name. `isStored`: its values are the stored ones. Throws `import-invalid`.
   */
  entity(name: string, place: string, isStored: boolean): ImportEntity {
    const known = this.#known.get(name);
    if (known) return known;
    const entity = this.#visible.entity(name);
    if (!entity) {
      const names = this.#visible.schema.domain.entities.map((one) => one.name);
      const hint =
        didYouMean(name, names) ?? 'Remove it from the document, or add it to the schema.';
      throw invalid(place, `There is no entity '${name}'.`, hint);
    }
    const made: ImportEntity = new ImportEntity({
      number: this.#known.size,
      plan: this.#planOf(entity, place, isStored),
      isStored,
      shown: this.#visible,
      entity,
      nestingOf: (parent, relation) => this.#nesting(parent, relation, place),
    });
    this.#known.set(name, made);
    return made;
  }

  #planOf(entity: Entity, place: string, isStored: boolean): CompiledQuery {
    const { name, view: isView } = entity;
    const { catalog, stage, view } = this.#settings;
    if (isView) throw invalid(place, `'${name}' is read-only: remove it from the document.`);
    if (this.#visible.rowFilter(name) !== undefined) {
      throw invalid(place, `'${name}' cannot be imported under a view that filters its rows.`);
    }
    // A view that reads a foreign key otherwise has no relation for it.
    const stored = catalog.unrestricted;
    const filtered = referencesOf(stored.entity(name) ?? entity, stored.entity).find(
      (each) => this.#visible.entity(each) && this.#visible.rowFilter(each) !== undefined,
    );
    if (filtered !== undefined) {
      const detail = `'${name}' cannot be imported under a view that filters rows of '${filtered}', to which it refers.`;
      throw invalid(place, detail);
    }
    if (!catalog.locate(stage, name, 'insert')) {
      throw invalid(place, `The stage '${stage}' does not store '${name}'.`);
    }
    const expression = `${name}.bulkInsert()`;
    const plan = compileQuery(catalog, { expression, stage, view, limits });
    const { checks, primaryKey } = rowsWriteOf(plan.root);
    if (checks && primaryKey.length === 0) {
      const detail = `'${name}' cannot be imported without a primary key, because a filter applies to its rows or to those that it refers to.`;
      throw invalid(place, detail);
    }
    return isStored ? storedPlan(plan) : plan;
  }

  #nesting(parent: ImportEntity, name: string, place: string): Nesting {
    const relation = this.#visible.relation(parent.name, name);
    invariant(relation, `the relation ${parent.name}.${name}`);
    const { from, to } = relation;
    const entity = this.entity(relation.entity, place, parent.isStored);
    const { statement } = entity;
    const link = { holder: 'child', from, to } as const;
    const keyless = { ...statement, write: { ...rowsWriteOf(statement), link } };
    this.#nestings += 1;
    return { name, number: this.#nestings, parent, entity, keyless, from, to };
  }
}
