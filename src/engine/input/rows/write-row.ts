/** A row of the data that is to be written. */
import type { RowsWrite } from '../../compiled-write.js';
import { type ByteRow, encodeRow } from '../../result/row-bytes.js';
import type { Texts } from './texts.js';

export class WriteRow {
  /** The place of its object in the data, such as `data.details[1]`. */
  readonly place: string;
  /**
   * The values in the request by property. A foreign key is added when the other row has been
   * stored.
   */
  readonly given: Texts;
  /** The defaults, which apply only if the row is inserted. */
  readonly defaults: Texts;
  /** The rows of each include, in the order of the statement's includes. */
  readonly related: readonly (readonly WriteRow[])[];
  /**
   * Computes the values that depend on the keys of other rows. Called when those are known; throws the
   * errors of {@link readRows}.
   */
  complete: (() => void) | undefined;
  /** The row that the database returned; undefined before that, and if the row does not exist. */
  stored: ByteRow | undefined;

  constructor(place: string, given: Texts, defaults: Texts, related: WriteRow['related']) {
    this.place = place;
    this.given = given;
    this.defaults = defaults;
    this.related = related;
  }

  get characters(): number {
    return this.given.characters + this.defaults.characters;
  }

  /** The given values as if they were the stored row, for a table that cannot be read. */
  asGiven({ returned }: RowsWrite): ByteRow {
    const fields = returned.map((name) => this.given.get(name) ?? this.defaults.get(name) ?? null);
    return encodeRow(fields);
  }
}
