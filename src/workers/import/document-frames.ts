/**
 * The frames around the rows: `{"entities": [{"entity": "Orders", "rows": […]}]}`. Before the
 * entities may stand `"values": "stored"`.
 */
import { type DataValue, didYouMean, malformed, nameDataValue } from '../../engine/index.js';
import { type Frame, FrameStack } from './frame.js';
import type { JsonScalar } from './json-events.js';
import { RecordedFrame } from './recorded-frame.js';

/**
 * Opens the rows of an entity by its name; throws an `ImportError` when there is none. `isStored`:
 * their values are those of the columns, as an export has them.
 */
export type OpenRows = (entity: string, place: string, isStored: boolean) => Frame;

type OpenEntity = (entity: string, place: string) => Frame;

const NO_OBJECT: DataValue = {};
const NO_LIST: DataValue = [];

/** Takes a whole document. */
export class OutermostFrame implements Frame {
  readonly #openRows: OpenRows;

  constructor(openRows: OpenRows) {
    this.#openRows = openRows;
  }

  key(): void {}

  scalar(value: JsonScalar): void {
    throw this.#refuse(value);
  }

  object(): Frame {
    return new DocumentFrame(this.#openRows);
  }

  list(): Frame {
    throw this.#refuse(NO_LIST);
  }

  close(): void {}

  place(): string {
    return '';
  }

  #refuse(value: DataValue): Error {
    const found = nameDataValue(value);
    return malformed('', `The document must be an object with 'entities', not ${found}.`);
  }
}

class DocumentFrame implements Frame {
  readonly #openRows: OpenRows;
  #hasEntities = false;
  #isStored: boolean | undefined;
  #member = '';

  constructor(openRows: OpenRows) {
    this.#openRows = openRows;
  }

  key(name: string): void {
    this.#member = name;
    if (name === 'values') return this.#checkValues();
    if (name !== 'entities') throw unknownMember(name, name, ['entities']);
    if (this.#hasEntities) throw malformed('entities', `'entities' is given twice.`);
    this.#hasEntities = true;
  }

  scalar(value: JsonScalar): void {
    if (this.#member !== 'values') {
      throw malformed('entities', `'entities' must be a list, not ${nameDataValue(value)}.`);
    }
    if (value !== 'stored') throw malformed('values', `'values' can only be "stored".`);
    this.#isStored = true;
  }

  object(): Frame {
    if (this.#member === 'values') throw malformed('values', `'values' can only be "stored".`);
    throw malformed('entities', `'entities' must be a list, not an object.`);
  }

  list(): Frame {
    if (this.#member === 'values') throw malformed('values', `'values' can only be "stored".`);
    return new EntitiesFrame((entity, place) =>
      this.#openRows(entity, place, this.#isStored === true),
    );
  }

  #checkValues(): void {
    if (this.#isStored !== undefined) throw malformed('values', `'values' is given twice.`);
    if (this.#hasEntities) throw malformed('values', `'values' stands before 'entities'.`);
  }

  close(): void {
    if (!this.#hasEntities) throw malformed('entities', `The document has no 'entities'.`);
  }

  place(): string {
    return '';
  }
}

class EntitiesFrame implements Frame {
  readonly #openRows: OpenEntity;
  #index = -1;

  constructor(openRows: OpenEntity) {
    this.#openRows = openRows;
  }

  key(): void {}

  scalar(value: JsonScalar): void {
    throw this.#refuse(value);
  }

  object(): Frame {
    this.#index += 1;
    return new EntityFrame(this.#openRows, this.place());
  }

  list(): Frame {
    throw this.#refuse(NO_LIST);
  }

  close(): void {}

  place(): string {
    return `entities[${Math.max(this.#index, 0)}]`;
  }

  #refuse(value: DataValue): Error {
    this.#index += 1;
    const detail = `An item of 'entities' must be an object, not ${nameDataValue(value)}.`;
    return malformed(this.place(), detail);
  }
}

type EntityMember = 'entity' | 'rows';

/** One entity with its rows, in whichever order the two come. */
class EntityFrame implements Frame {
  readonly #openRows: OpenEntity;
  readonly #place: string;
  readonly #given = new Set<EntityMember>();
  #member: EntityMember = 'entity';
  #entity: string | undefined;
  #recorded: RecordedFrame | undefined;

  constructor(openRows: OpenEntity, place: string) {
    this.#openRows = openRows;
    this.#place = place;
  }

  key(name: string): void {
    const place = `${this.#place}.${name}`;
    if (name !== 'entity' && name !== 'rows') throw unknownMember(name, place, ['entity', 'rows']);
    if (this.#given.has(name)) throw malformed(place, `'${name}' is given twice.`);
    this.#given.add(name);
    this.#member = name;
  }

  scalar(value: JsonScalar): void {
    if (this.#member === 'rows' || typeof value !== 'string') throw this.#refuse(value);
    this.#entity = value;
    // Refuses a name that is none, also where no rows follow.
    const rows = this.#rows(value);
    this.#recorded?.replay(new FrameStack(rows), rows);
    this.#recorded = undefined;
  }

  object(): Frame {
    throw this.#refuse(NO_OBJECT);
  }

  list(): Frame {
    if (this.#member === 'entity') throw this.#refuse(NO_LIST);
    if (this.#entity !== undefined) return this.#rows(this.#entity);
    this.#recorded = new RecordedFrame(`${this.#place}.rows`);
    return this.#recorded;
  }

  close(): void {
    for (const member of ['entity', 'rows'] as const) {
      if (this.#given.has(member)) continue;
      throw malformed(`${this.#place}.${member}`, `The entity has no '${member}'.`);
    }
  }

  place(): string {
    return this.#place;
  }

  #rows(entity: string): Frame {
    return this.#openRows(entity, this.#place);
  }

  #refuse(value: DataValue): Error {
    const wanted = this.#member === 'entity' ? 'the name of an entity' : 'a list';
    const detail = `'${this.#member}' must be ${wanted}, not ${nameDataValue(value)}.`;
    return malformed(`${this.#place}.${this.#member}`, detail);
  }
}

function unknownMember(name: string, place: string, known: readonly string[]): Error {
  const wanted = known.map((one) => `'${one}'`).join(' and ');
  const detail = `There is no '${name}' here, only ${wanted}.`;
  return malformed(place, detail, didYouMean(name, known));
}
