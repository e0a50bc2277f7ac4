/** A case of a function: a call, and what it gives. */
import type { DataValue } from '../../../src/engine/values/data-value.js';

export interface FunctionCase {
  /** An expression over a row `p`: of the products, or where `orders` says so. */
  readonly call: string;
  readonly orders?: true;
  /** The row's id: the second one has nulls. Default 1. */
  readonly id?: 1 | 2;
  readonly data?: { readonly [name: string]: DataValue };
  /** The JSON text of the value. */
  readonly gives: string;
}

/** The instant of the request in all cases. */
export const instant = '2024-02-29T23:59:58.765Z';
