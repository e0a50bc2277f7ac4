/** The entities of an import as they come: each compiled once as its `bulkInsert`. */
import {
  type Catalog,
  catalogUnderView,
  compileQuery,
  type CompiledQuery,
  didYouMean,
  type Entity,
  EngineError,
  invariant,
  rowsWriteOf,
} from '../../engine/index.js';
import { ImportEntity, type Nesting } from './import-entity.js';
import { storedPlan } from './stored-plan.js';

/** A name or a value that the schema does not allow: `import-invalid`. */
export function invalid(place: string, detail: string, hint?: string): EngineError {
  return new EngineError('import-invalid', detail, { place, hint });
}

export interface EntitySettings {
  readonly catalog: Catalog;
  readonly stage: string;
  readonly view: string;
}

/** What the name of an entity makes is bounded by the schema. */
const limits = { expressionLengthMax: 1 << 20, nestingMax: 64, includeDepthMax: 1 };

export class ImportEntities {
  readonly #settings: EntitySettings;
  readonly #shown: Catalog;
  readonly #known = new Map<string, ImportEntity>();
  #nestings = 0;

  constructor(settings: EntitySettings) {
    this.#settings = settings;
    this.#shown = catalogUnderView(settings.catalog, settings.view);
  }

  /** In the order in which they were first seen. */
  get all(): readonly ImportEntity[] {
    return [...this.#known.values()];
  }

  /** The entity of that name; `isStored`: its values are those of the columns. Throws `import-invalid`. */
  entity(name: string, place: string, isStored: boolean): ImportEntity {
    const known = this.#known.get(name);
    if (known) return known;
    const entity = this.#shown.entity(name);
    if (!entity) {
      const names = this.#shown.schema.domain.entities.map((one) => one.name);
      throw invalid(place, `There is no entity '${name}'.`, didYouMean(name, names));
    }
    const made: ImportEntity = new ImportEntity({
      number: this.#known.size,
      plan: this.#planOf(entity, place, isStored),
      isStored,
      shown: this.#shown,
      entity,
      nestingOf: (parent, relation) => this.#nesting(parent, relation, { place, isStored }),
    });
    this.#known.set(name, made);
    return made;
  }

  #planOf({ name, view: isView }: Entity, place: string, isStored: boolean): CompiledQuery {
    const { catalog, stage, view } = this.#settings;
    if (isView) throw invalid(place, `'${name}' is only read.`);
    if (this.#shown.rowFilter(name) !== undefined) {
      throw invalid(place, `'${name}' cannot be imported under a view of its rows.`);
    }
    if (!catalog.locate(stage, name, 'insert')) {
      throw invalid(place, `The stage '${stage}' keeps no '${name}'.`);
    }
    const expression = `${name}.bulkInsert()`;
    const plan = compileQuery(catalog, { expression, stage, view, limits });
    return isStored ? storedPlan(plan) : plan;
  }

  #nesting(parent: ImportEntity, name: string, { place, isStored }: NestingPlace): Nesting {
    const resolved = this.#shown.relation(parent.name, name);
    invariant(resolved, `the relation ${parent.name}.${name}`);
    const { from, to } = resolved.relation;
    const entity = this.entity(resolved.target.name, place, isStored);
    const { statement } = entity;
    const link = { holder: 'child', from, to } as const;
    const keyless = { ...statement, write: { ...rowsWriteOf(statement), link } };
    this.#nestings += 1;
    return { name, number: this.#nestings, parent, entity, keyless, from, to };
  }
}

interface NestingPlace {
  readonly place: string;
  readonly isStored: boolean;
}
