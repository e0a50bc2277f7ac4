/** What differs between the expressions and queries of one database and another's. */
import type { BinaryOperator } from '../language/ast.js';
import type { AggregateName } from '../query/logical.js';
import type { DialectName, PropertyType } from '../schema/model.js';

/** The operators that the dialects spell, or build, in their own way. */
export type DialectOperator = Exclude<
  BinaryOperator,
  '&&' | '||' | '??' | '==' | '!=' | '**' | '//'
>;

export interface ExpressionDialect {
  readonly name: DialectName;
  /**
   * A table or column as SQL: a plain identifier bare, anything else quoted. A mapping in double quotes is
   * used unchanged.
   */
  quoteName(mapping: string): string;
  /** The name that the catalog has for a table or column of the schema file. */
  storedName(mapping: string): string;
  /** The name of a column of the answer; always quoted. */
  quoteAlias(name: string): string;
  /** The n-th placeholder of a statement, counted from 1. */
  placeholder(index: number): string;
  /** Whether a placeholder can be written again for the same argument. */
  readonly repeatsPlaceholders: boolean;
  /** The text in which a canonical scalar text is sent as a parameter. */
  scalar(text: string, type: PropertyType): string;
  /** A number literal of the expression as SQL that is exact. */
  numberLiteral(text: string): string;
  /**
   * The text in which a list is sent as one parameter; null is an item without value. Absent where
   * every item is a parameter.
   */
  readonly list?: (texts: readonly (string | null)[]) => string;
  /** The inside of `IN (…)` for a list in a placeholder. */
  listRows(placeholder: string, type: PropertyType): string;
  /**
   * Whether a column is in a list parameter, the way that is quick where an index begins with it; absent
   * where `IN` is.
   */
  inList?(column: string, placeholder: string, type: PropertyType): string;
  /** `column` is in the list in a placeholder; absent where requests are not batched. */
  readonly amongKeys?: (column: string, placeholder: string, type: PropertyType) => string;
  /** The columns of a tuple as one value: see `BoundTuple`. */
  tuple(columns: readonly string[]): string;
  /** Whether the columns, of these types, are together among the tuples of the list in a placeholder. */
  amongTuples(
    columns: readonly string[],
    placeholder: string,
    types: readonly PropertyType[],
  ): string;
  /** Whether a statement can run once for each row of a list of arguments (LATERAL, arrays). */
  readonly hasLateral: boolean;
  /** `sql` as a value of `type`. */
  cast(sql: string, type: PropertyType): string;
  /**
   * A constant beside something whose type the database knows. Numbers compare as numbers: neither
   * takes the width of the other.
   */
  compared(constant: ComparedConstant, other: ComparedWith): string;
  /** Whether a value is in a list that is one parameter. */
  amongItems(value: string, list: ComparedList, other: ComparedWith): string;
  /** A boolean literal. */
  boolean(value: boolean): string;
  /**
   * An operator applied to operands that stand safely beside it; of integers, to ones of 64 bits. What
   * divides by zero, or shifts by more than there are bits, gives null.
   */
  binary(operator: DialectOperator, left: string, right: string, type: OperandTypes): string;
  /** An integer of 64 bits: one that has more is an error. */
  integer(sql: string): string;
  /** A text that is compared by code point, to its last blank. */
  byCodePoint(sql: string): string;
  /** Such a text, to be compared by the collation of a column beside it; absent where none is left in it. */
  readonly uncollated?: (sql: string) => string;
  /**
   * A scalar text of a decimal that is cast; throws `value-out-of-range` where the database would cut it.
   * Absent where there is room for any.
   */
  readonly bounded?: (text: string) => string;
  /**
   * A computed decimal that goes through a table of the database, which may have fewer digits for it than
   * other decimals have; absent where there is room for any.
   */
  readonly tabled?: (decimal: string) => string;
  /** Texts as one; null where one of them is. */
  join(texts: readonly string[]): string;
  /** The one-row table `arg` with the values as the columns a1, a2, …; none is computed twice. */
  namedValues(values: readonly TypedSql[]): string;
  /** A column of that table; a text is compared by the collation of `collated`, where there is such a column. */
  valueNamed(name: string, type: PropertyType, collated: string | undefined): string;
  /** `~ operand` of an integer. */
  complement(operand: string): string;
  /** `NAME(argument)` of an argument of `type`; it must not come out narrower than its operands. */
  aggregate(name: AggregateName, argument: string, type: PropertyType): string;
  /** Whether a key of ORDER BY may use the name of a column that is an aggregate. */
  readonly namesGroups: boolean;
  /** A key of ORDER BY: nulls last ascending, first descending. */
  sortKey(key: () => string, descending: boolean): string;
  /** How many parentheses may nest in a statement. */
  readonly nestingMax: number;
  /** A number or boolean as JavaScript would write it in a text. */
  textOf(sql: string, type: PropertyType): string;
}

/** A parameter or a literal, as SQL. */
export interface ComparedConstant {
  readonly sql: string;
  readonly type: PropertyType;
  readonly isLiteral: boolean;
}

/** The placeholder of a list, and the type of its items. */
export interface ComparedList {
  readonly placeholder: string;
  readonly type: PropertyType;
}

/** What a constant is compared with. */
export interface ComparedWith {
  readonly type: PropertyType;
  readonly isColumn: boolean;
}

/** SQL, and the type of its value. */
export interface TypedSql {
  readonly sql: string;
  readonly type: PropertyType;
}

export interface OperandTypes {
  readonly left: PropertyType;
  readonly right: PropertyType;
}

/**
 * Behind its point, a quotient or an average of exact numbers has at most so many digits, and is
 * rounded there: each database would choose a number of its own.
 */
export const QUOTIENT_DIGITS = 20;
