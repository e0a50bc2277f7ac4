/** A row on its way from the data into a table. */
import type { RowsWrite } from '../../compiled-write.js';
import { type ByteRow, encodeRow } from '../../result/row-bytes.js';
import type { Texts } from './texts.js';

export class WriteRow {
  /** Where its object stands: `data.details[1]`. */
  readonly place: string;
  /** What the request sets, by property; foreign keys join it when the other row is stored. */
  readonly given: Texts;
  /** What it has only when it is inserted. */
  readonly defaults: Texts;
  /** The rows of each include, in the order of the statement's. */
  readonly related: readonly (readonly WriteRow[])[];
  /** Makes the values that read the keys of other rows, once those are given; throws as the rest does. */
  complete: (() => void) | undefined;
  /** As the database returned it; undefined until then, and of a row that it does not have. */
  stored: ByteRow | undefined;

  constructor(place: string, given: Texts, defaults: Texts, related: WriteRow['related']) {
    this.place = place;
    this.given = given;
    this.defaults = defaults;
    this.related = related;
  }

  /** What is stored, as far as it was given: for a table that cannot be asked for the row. */
  asGiven({ returned }: RowsWrite): ByteRow {
    const fields = returned.map((name) => this.given.get(name) ?? this.defaults.get(name) ?? null);
    return encodeRow(fields);
  }
}
