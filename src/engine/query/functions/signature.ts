/** What is said of each function of the language, once: for the binder, the renderer and the documentation. */
import type { PropertyType } from '../../schema/model.js';

export type FunctionGroup = 'comparison' | 'null' | 'numeric' | 'string' | 'date' | 'convert';

export interface FunctionSignature {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly group: FunctionGroup;
  readonly returns: PropertyType;
}
