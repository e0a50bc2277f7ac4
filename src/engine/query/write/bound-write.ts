/** The bound write: names are resolved and expressions typed, before any SQL. */
import type {
  KeyedBy,
  RowsWrite,
  WriteAction,
  WriteCondition,
  WriteField,
  WriteLink,
} from '../../compiled-write.js';
import type { Span } from '../../errors.js';
import type { Expression } from '../../language/ast.js';
import type { Constraint, Relation } from '../../schema/model.js';
import type { BoundCheck } from './bind-checks.js';
import type { Bound, BoundOutput, RowSource } from '../logical.js';
import type { ParameterSlot, ParameterSlots } from '../parameters.js';

export type BoundWrite = BoundRowsWrite | BoundFilteredWrite;

interface BoundBase {
  readonly row: RowSource;
  readonly action: WriteAction;
  /** The offset in the query's text by which `/metadata` identifies this statement. */
  readonly offset: number;
  readonly constraints: readonly Constraint[];
  readonly conditions: readonly WriteCondition[];
  readonly includes: readonly BoundWriteInclude[];
  /** The conditions that written rows must meet afterwards. */
  readonly checks: readonly BoundCheck[];
}

export interface BoundRowsWrite extends BoundBase {
  readonly kind: 'rows';
  readonly action: RowsWrite['action'];
  readonly fields: readonly BoundField[];
  /** The columns of the written rows that are returned. */
  readonly answered: readonly BoundOutput[];
  /** Parameters of assigned values, without members of the rows' objects. */
  readonly parameters: ParameterSlots;
  readonly path: readonly string[];
  readonly shape: RowsWrite['shape'];
  readonly link: WriteLink | undefined;
  /** The keys that only find existing rows, or are stored in new ones. */
  readonly unchanged: readonly string[];
  /** Whether a view hides a property without which no new row can be stored. */
  readonly lacksHidden: boolean;
  /** Whether a view hides a key. */
  readonly hidesKeys: boolean;
}

/** A write of rows that a condition selects. */
export interface BoundFilteredWrite extends BoundBase {
  readonly kind: 'filtered';
  readonly action: 'update' | 'delete';
  /** The condition on `filtered`; undefined for all rows. */
  readonly filter: Bound | undefined;
  /**
   * The row that the filter reads: another row of the same entity if the filter has joins, otherwise
   * `row`.
   */
  readonly filtered: RowSource;
  /** The same condition on `row`, which may have changed since `filtered` was read; only if they differ. */
  readonly recheck?: Bound | undefined;
  /** The position of the clause's name. */
  readonly nameSpan: Span;
  readonly assignments: readonly BoundAssignment[];
  /** The path of the object in the data that contains the included rows. */
  readonly base: readonly string[];
  readonly presentIn:
    | { readonly path: readonly string[]; readonly properties: readonly string[] }
    | undefined;
  readonly keyedBy: KeyedBy | undefined;
}

/** A property that is written, before SQL names its column. */
export interface BoundField extends Omit<WriteField, 'column' | 'storedColumn' | 'writeExp'> {
  /** The column's name in the mapping. */
  readonly mapping: string;
  readonly writeExp?: BoundWriteExp;
}

/** The `writeExp` of a property, bound to the written row. */
export interface BoundWriteExp {
  readonly row: RowSource;
  readonly property: string;
  readonly text: string;
  readonly value: Bound;
}

export interface BoundAssignment {
  readonly field: BoundField;
  readonly value: Bound;
  /** Set if Rowgate can compute the value because it consists of parameters only. */
  readonly evaluated?: {
    readonly expression: Expression;
    readonly slots: readonly ParameterSlot[];
  };
}

export interface BoundWriteInclude {
  readonly relation: Relation;
  readonly write: BoundWrite;
}
