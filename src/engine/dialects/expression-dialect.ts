/** The differences between databases in expressions and queries. */
import type { BinaryOperator } from '../language/ast.js';
import type { AggregateName, BoundJsonPath, JsonStep } from '../query/logical.js';
import type { DialectName, ItemType, PropertyType } from '../schema/model.js';

/** The operators that each dialect writes in its own way. */
export type DialectOperator = Exclude<
  BinaryOperator,
  '&&' | '||' | '??' | '==' | '!=' | '**' | '//'
>;

export interface ExpressionDialect {
  readonly name: DialectName;
  /**
   * A table or column as SQL: a plain identifier is not quoted, anything else is. A mapping in
   * double quotes is used unchanged.
   */
  quoteName(mapping: string): string;
  /** The catalog's name for a table or column of the schema file. */
  storedName(mapping: string): string;
  /** The name of a column of the answer; always quoted. */
  quoteAlias(name: string): string;
  /** The n-th placeholder of a statement, counted from 1. */
  placeholder(index: number): string;
  /** Whether a placeholder can be written again for the same argument. */
  readonly repeatsPlaceholders: boolean;
  /** The text of a parameter for a canonical scalar text. */
  scalar(text: string, type: PropertyType): string;
  /** A number literal as SQL that is exact. */
  numberLiteral(text: string): string;
  /**
   * The text of a list that is one parameter, with null for items without a value. Absent if each
   * item is a parameter.
   */
  readonly list?: (texts: readonly (string | null)[]) => string;
  /** The inside of `IN (…)` for a list in a placeholder. */
  listRows(placeholder: string, type: PropertyType): string;
  /**
   * Whether a column is in a list parameter, in a form that uses an index that begins with it.
   * Absent if `IN` does.
   */
  inList?(column: string, placeholder: string, type: PropertyType): string;
  /** Whether a column is in the list in a placeholder; absent if requests are not batched. */
  readonly amongKeys?: (column: string, placeholder: string, type: PropertyType) => string;
  /** A value of an enumerated type as a text. */
  textOfEnum(sql: string): string;
  /** The text of a path into JSON. */
  jsonPath(steps: readonly JsonStep[]): string;
  /** What stands there, `document` and `path` being the SQL of both: as JSON, or as a scalar. */
  jsonPart(document: () => string, path: () => string, type: BoundJsonPath['type']): string;
  /** The item of an array at a place, counted from 0. */
  element(array: () => string, index: number, item: ItemType): string;
  /** Whether a value is an item of an array; null if the array is. */
  amongElements(value: string, array: () => string, item: ItemType): string;
  /** Binary data as base64. */
  base64(sql: string): string;
  /** The columns of a tuple as one value: see `BoundTuple`. */
  tuple(columns: readonly string[]): string;
  /** Whether the columns, of these types, match one of the tuples of the list in a placeholder. */
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
   * A constant compared with a value whose type the database knows. Numbers are compared by value:
   * neither takes the width of the other.
   */
  compared(constant: ComparedConstant, other: ComparedWith): string;
  /** Whether a value is in a list that is one parameter. */
  amongItems(value: string, list: ComparedList, other: ComparedWith): string;
  /** A boolean literal. */
  boolean(value: boolean): string;
  /**
   * An operator with operands that need no further parentheses; for integers, with 64 bits. A
   * division by zero and too large a shift give null.
   */
  binary(operator: DialectOperator, left: string, right: string, type: OperandTypes): string;
  /** An integer of 64 bits; a larger one is an error. */
  integer(sql: string): string;
  /** A text that is compared by code point, including trailing blanks. */
  byCodePoint(sql: string): string;
  /** Such a text, to be compared by the collation of a column beside it; absent where none is left in it. */
  readonly uncollated?: (sql: string) => string;
  /**
   * The text of a decimal that is cast. Throws `value-out-of-range` if the database would truncate
   * it. Absent if any decimal fits.
   */
  readonly bounded?: (text: string) => string;
  /**
   * A computed decimal that is stored in a temporary table, where it may have fewer digits than other
   * decimals; absent if any decimal fits there.
   */
  readonly tabled?: (decimal: string) => string;
  /** Concatenates texts; null if one of them is. */
  join(texts: readonly string[]): string;
  /**
   * The one-row table `arg` with the values as columns a1, a2, …, so that each is computed once.
   */
  namedValues(values: readonly TypedSql[]): string;
  /**
   * A column of that table. A text is compared by the collation of `collated`, if that is a column.
   */
  valueNamed(name: string, type: PropertyType, collated: string | undefined): string;
  /** `~ operand` of an integer. */
  complement(operand: string): string;
  /** An aggregate of an argument of `type`; its result must not be narrower than its operands. */
  aggregate(name: AggregateName, argument: string, type: PropertyType): string;
  /** Whether a key of ORDER BY may use the name of a column that is an aggregate. */
  readonly namesGroups: boolean;
  /** A key of ORDER BY, with nulls last in ascending order and first in descending order. */
  sortKey(key: () => string, descending: boolean): string;
  /** How deep parentheses may nest in a statement. */
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

/** SQL with the type of its value. */
export interface TypedSql {
  readonly sql: string;
  readonly type: PropertyType;
}

export interface OperandTypes {
  readonly left: PropertyType;
  readonly right: PropertyType;
}

/**
 * The decimal places to which quotients and averages of exact numbers are rounded; each database
 * has a different default.
 */
export const QUOTIENT_DIGITS = 20;
