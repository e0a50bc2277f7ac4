/** All rows of an import on their way into temporary tables: the entities that have come so far. */
import {
  type Capabilities,
  type Catalog,
  didYouMean,
  type Entity,
  type IntegerBits,
  invalid,
} from '../../engine/index.js';
import type { ImportCount } from '../protocol.js';
import { StagedEntity } from './staged-entity.js';
import { stagedFields } from './staged-fields.js';

/** A relation under whose name rows nest. */
export interface Nesting {
  /** The relation's name. */
  readonly name: string;
  /** A number of its own, from 1, among those of the import. */
  readonly number: number;
  readonly parent: StagedEntity;
  /** Whose rows nest. */
  readonly entity: StagedEntity;
  /** The parent's property that the relation starts from, and the child's that it leads to. */
  readonly parentIndex: number;
  readonly parentName: string;
  readonly childIndex: number;
  readonly childName: string;
  /** Whether the database makes the parent's key when there is none. */
  readonly isGenerated: boolean;
  /** Whether parent and child are kept in different databases. */
  readonly isAcrossSources: boolean;
}

export interface StagingSettings {
  readonly catalog: Catalog;
  readonly stage: string;
  /** With the instant of the import, as ISO 8601 text in UTC. */
  readonly around: Capabilities;
  readonly bitsOf: (entity: string, property: string) => IntegerBits | undefined;
}

export class Staging {
  readonly #settings: StagingSettings;
  readonly #entities = new Map<string, StagedEntity>();
  #nestings = 0;

  constructor(settings: StagingSettings) {
    this.#settings = settings;
  }

  /** In the order in which they were first seen. */
  get entities(): readonly StagedEntity[] {
    return [...this.#entities.values()];
  }

  /** The rows of all entities. */
  get rows(): number {
    return this.entities.reduce((sum, { rows }) => sum + rows, 0);
  }

  /** The rows of each entity that was seen. */
  get counts(): readonly ImportCount[] {
    return this.entities.map(({ name, rows }) => ({ entity: name, rows }));
  }

  /** The entity of that name. Throws an `ImportError` when the stage takes no rows of it. */
  entity(name: string, place: string, isStored = false): StagedEntity {
    const known = this.#entities.get(name);
    if (known) return known;
    const { catalog } = this.#settings;
    const entity = catalog.entity(name);
    if (!entity) {
      const names = catalog.schema.domain.entities.map((one) => one.name);
      throw invalid(place, `There is no entity '${name}'.`, didYouMean(name, names));
    }
    const staged = this.#stagedEntity(entity, place, isStored);
    this.#entities.set(name, staged);
    return staged;
  }

  #stagedEntity(entity: Entity, place: string, isStored: boolean): StagedEntity {
    const { catalog, stage, around, bitsOf } = this.#settings;
    const { name } = entity;
    if (entity.view) throw invalid(place, `'${name}' is only read.`);
    if (catalog.rowFilter(name) !== undefined) {
      throw invalid(place, `'${name}' cannot be imported under a view of its rows.`);
    }
    const location = catalog.locate(stage, name, 'insert');
    if (!location) throw invalid(place, `The stage '${stage}' keeps no '${name}'.`);
    const nestings = new Map<string, Nesting | undefined>();
    const staged = new StagedEntity({
      name,
      source: location.source.name,
      number: this.#entities.size,
      ...stagedFields({
        catalog,
        stage,
        entity,
        isStored,
        around,
        bitsOf: (property) => bitsOf(name, property),
      }),
      known: new Set([...entity.properties, ...entity.relations].map((one) => one.name)),
      readOnly: new Set(entity.properties.flatMap((one) => (one.view ? [one.name] : []))),
      nesting: (relation) => {
        if (!nestings.has(relation))
          nestings.set(relation, this.#nesting(staged, relation, place, isStored));
        return nestings.get(relation);
      },
      refusal: (member) => this.#refusal(name, member),
    });
    return staged;
  }

  #nesting(
    parent: StagedEntity,
    name: string,
    place: string,
    isStored: boolean,
  ): Nesting | undefined {
    const resolved = this.#settings.catalog.relation(parent.name, name);
    if (resolved?.cardinality !== 'many') return undefined;
    const { from, to } = resolved.relation;
    const entity = this.entity(resolved.target.name, place, isStored);
    const parentIndex = parent.indexOf(from);
    const childIndex = entity.indexOf(to);
    if (parentIndex === undefined || childIndex === undefined) return undefined;
    this.#nestings += 1;
    return {
      name,
      number: this.#nestings,
      parent,
      entity,
      parentIndex,
      parentName: from,
      childIndex,
      childName: to,
      isGenerated: parent.fields[parentIndex]?.isGenerated === true,
      isAcrossSources: parent.source !== entity.source,
    };
  }

  #refusal(entity: string, member: string): string {
    const from = this.#settings.catalog.relation(entity, member)?.relation.from ?? member;
    return `'${member}' leads to one row, which cannot nest here: give its key as '${from}'.`;
  }
}
