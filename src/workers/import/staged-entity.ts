/** The rows of one entity on their way into its temporary table, and what is known of them. */
import type { RowField, RowTreatment } from '../../engine/index.js';
import { copyLine } from './copy-line.js';
import { LineBuffer } from './line-buffer.js';
import type { UnknownParent } from './parent-key.js';
import type { Nesting } from './staging.js';

/** What an entity's rows are staged with. */
export interface StagedEntitySettings {
  readonly name: string;
  readonly source: string;
  /** A number of its own among the entities of an import. */
  readonly number: number;
  readonly fields: readonly RowField[];
  /** Every name that means something in a row, for hints. */
  readonly known: ReadonlySet<string>;
  /** The properties that are only read. */
  readonly readOnly: ReadonlySet<string>;
  /** Properties that the view hides: rows cannot give them, and get their defaults. */
  readonly hidden: ReadonlySet<string>;
  /** What is done with rows before they are staged; absent: nothing. */
  readonly treatment: RowTreatment | undefined;
  /** The SQL that a property is stored by, around that of its staged value; absent: as it stands. */
  readonly written: ReadonlyMap<string, (sql: string) => string>;
  readonly nesting: (relation: string) => Nesting | undefined;
  /** Why a known name that is neither property nor nesting cannot stand in a row. */
  readonly refusal: (name: string) => string;
}

type Texts = readonly (string | null | undefined)[];

export class StagedEntity {
  readonly name: string;
  readonly source: string;
  readonly number: number;
  readonly fields: readonly RowField[];
  readonly known: ReadonlySet<string>;
  readonly readOnly: ReadonlySet<string>;
  readonly treatment: RowTreatment | undefined;
  readonly nesting: (relation: string) => Nesting | undefined;
  readonly refusal: (name: string) => string;
  /** The nestings whose rows wait for their parent's key. */
  readonly waiting = new Set<Nesting>();
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #hidden: ReadonlySet<string>;
  readonly #written: StagedEntitySettings['written'];
  readonly #given: boolean[];
  readonly #lacking: number[];
  #ordinals = 0;
  #rows = 0;
  readonly #lines = new LineBuffer();

  constructor(settings: StagedEntitySettings) {
    this.name = settings.name;
    this.source = settings.source;
    this.number = settings.number;
    this.fields = settings.fields;
    this.known = settings.known;
    this.readOnly = settings.readOnly;
    this.nesting = settings.nesting;
    this.refusal = settings.refusal;
    this.treatment = settings.treatment;
    this.#hidden = settings.hidden;
    this.#written = settings.written;
    this.#indexes = new Map(
      this.fields.flatMap(({ property: { name } }, index) =>
        this.#hidden.has(name) ? [] : [[name, index]],
      ),
    );
    this.#given = this.fields.map(() => false);
    this.#lacking = this.fields.map(() => 0);
  }

  /** The rows that were staged. */
  get rows(): number {
    return this.#rows;
  }

  /** Bytes of the lines that wait to be sent. */
  get waitingLength(): number {
    return this.#lines.length;
  }

  /** The place of a property among the fields. */
  indexOf(property: string): number | undefined {
    return this.#indexes.get(property);
  }

  /** Whether rows cannot give the property. */
  isHidden(index: number): boolean {
    return this.#hidden.has(this.#nameAt(index));
  }

  /** Whether a row has a value there, so that the column must be written. */
  isGiven(index: number): boolean {
    return this.#given[index] === true || this.#written.has(this.#nameAt(index));
  }

  /** The SQL that is stored of a staged value. */
  written(index: number, sql: string): string {
    return this.#written.get(this.#nameAt(index))?.(sql) ?? sql;
  }

  /** How many rows have no value there. */
  lacking(index: number): number {
    return this.#lacking[index] ?? 0;
  }

  /** A number for a row that begins. */
  nextOrdinal(): number {
    this.#ordinals += 1;
    return this.#ordinals;
  }

  /** Takes a complete row. */
  stage(ordinal: number, texts: Texts, parent: UnknownParent | undefined): void {
    for (let index = 0; index < texts.length; index += 1) {
      if (typeof texts[index] === 'string') this.#given[index] = true;
      else this.#lacking[index] = this.lacking(index) + 1;
    }
    if (parent) this.waiting.add(parent.nesting);
    this.#lines.write(copyLine(ordinal, parent, texts, this.fields));
    this.#rows += 1;
  }

  /** Takes a complete row without nested ones, which `write` writes; `present` tells its values. */
  stageFlat(write: (lines: LineBuffer) => void, present: readonly boolean[]): void {
    for (let index = 0; index < present.length; index += 1) {
      if (present[index]) this.#given[index] = true;
      else this.#lacking[index] = this.lacking(index) + 1;
    }
    write(this.#lines);
    this.#rows += 1;
  }

  #nameAt(index: number): string {
    return this.fields[index]?.property.name ?? '';
  }

  /** Gives the waiting lines away. */
  takeLines(): Buffer {
    return this.#lines.take();
  }
}
