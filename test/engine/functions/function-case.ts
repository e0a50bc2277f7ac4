/** A case of a function: a call and its value. */
import type { DataValue } from '../../../src/engine/values/data-value.js';

export interface FunctionCase {
  /** An expression over a row `p` of the products, or of the orders if `orders` is set. */
  readonly call: string;
  readonly orders?: true;
  /** The id of the row, 1 by default. Row 2 has nulls. */
  readonly id?: 1 | 2;
  readonly data?: { readonly [name: string]: DataValue };
  /** The value as JSON text. */
  readonly gives: string;
}

/** The time of the request in all cases. */
export const instant = '2024-02-29T23:59:58.765Z';
