/** The parts of a JSON text in their order, as who reads it hears of them. */
import type { DataValue, ExactNumber } from '../../engine/index.js';

/** A value that has no parts. */
export type JsonScalar = Extract<DataValue, null | boolean | number | string | ExactNumber>;

/** Hears of a JSON text, which is known to be well-formed as far as it was told. */
export interface JsonListener {
  /**
   * May take a whole object at once, which opens at `at`, and answer with the index behind it; -1: it
   * is told of its parts.
   */
  takeObject(bytes: Buffer, at: number): number;
  openObject(): void;
  openList(): void;
  key(name: string): void;
  scalar(value: JsonScalar): void;
  /** The innermost object or list is complete. */
  close(): void;
}
