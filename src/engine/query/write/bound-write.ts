/** A write whose names are resolved and whose expressions are typed, before anything of SQL. */
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
  /** The offset that `/metadata` names as the place of this statement. */
  readonly offset: number;
  readonly constraints: readonly Constraint[];
  readonly conditions: readonly WriteCondition[];
  readonly includes: readonly BoundWriteInclude[];
  /** What a written row must meet. */
  readonly checks: readonly BoundCheck[];
}

/** Rows that the data holds. */
export interface BoundRowsWrite extends BoundBase {
  readonly kind: 'rows';
  readonly action: RowsWrite['action'];
  readonly fields: readonly BoundField[];
  /** What the rows are answered with. */
  readonly answered: readonly BoundOutput[];
  /** Of its chosen values; members of the rows' objects are not among them. */
  readonly parameters: ParameterSlots;
  readonly path: readonly string[];
  readonly shape: RowsWrite['shape'];
  readonly link: WriteLink | undefined;
}

/** Rows that a condition chooses. */
export interface BoundFilteredWrite extends BoundBase {
  readonly kind: 'filtered';
  readonly action: 'update' | 'delete';
  /** Of the rows of `row`; undefined: all of them. */
  readonly filter: Bound | undefined;
  /** Where the filter reads joined rows: the row that it is bound to, of the same entity. */
  readonly filtered: RowSource;
  /** Where the clause that writes is named. */
  readonly nameSpan: Span;
  readonly assignments: readonly BoundAssignment[];
  /** The path of the object that holds the rows which it includes. */
  readonly base: readonly string[];
  readonly presentIn:
    | { readonly path: readonly string[]; readonly properties: readonly string[] }
    | undefined;
  readonly keyedBy: KeyedBy | undefined;
}

/** A property as it is written, before its column is named in SQL. */
export interface BoundField extends Omit<WriteField, 'column' | 'storedColumn' | 'writeExp'> {
  /** The name of its column in the mapping. */
  readonly mapping: string;
  readonly writeExp?: BoundWriteExp;
}

/** The `writeExp` of a property, bound over the row that is written. */
export interface BoundWriteExp {
  readonly row: RowSource;
  readonly property: string;
  readonly text: string;
  readonly value: Bound;
}

export interface BoundAssignment {
  readonly field: BoundField;
  readonly value: Bound;
  /** Set where Rowgate itself can tell the value: it is made of parameters alone. */
  readonly evaluated?: {
    readonly expression: Expression;
    readonly slots: readonly ParameterSlot[];
  };
}

export interface BoundWriteInclude {
  readonly relation: Relation;
  readonly write: BoundWrite;
}
