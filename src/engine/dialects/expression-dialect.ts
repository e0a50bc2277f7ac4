/** The differences between databases in expressions and queries. */
import type { BinaryOperator } from '../language/ast.js';
import type { AggregateName, BoundJsonPath } from '../query/logical.js';
import type { DialectName, ItemType, PropertyType } from '../schema/model.js';

/** The operators whose SQL depends on the dialect. */
export type DialectOperator = Exclude<
  BinaryOperator,
  '&&' | '||' | '??' | '==' | '!=' | '**' | '//'
>;

export interface ExpressionDialect {
  readonly name: DialectName;
  /**
   * A table or column as SQL. A plain identifier is not quoted, anything else is. A name in double
   * quotes is used unchanged.
   */
  quoteName(mapping: string): string;
  /** The name in the database's catalog for a table or column of the schema file. */
  storedName(mapping: string): string;
  /** The name of a returned column, or a stored name, unchanged; always quoted. */
  quoteAlias(name: string): string;
  /** The n-th placeholder of a statement, counted from 1. */
  placeholder(index: number): string;
  /** Whether a placeholder can be repeated for the same argument. */
  readonly repeatsPlaceholders: boolean;
  /** Whether the database ignores the OFFSET of distinct rows if it knows that there is only one: MariaDB 10.11. */
  readonly losesOffset: boolean;
  /**
   * A constant that is one more key: of groups where distinct values are aggregated and keys are computed, if the database
   * needs one for right groups, and of a sort, if it would compute the other keys for rows that the filter excludes.
   */
  readonly constantKey?: string;
  /** The database's text for a canonical scalar text. */
  scalar(text: string, type: PropertyType): string;
  /** A number literal as exact SQL. */
  numberLiteral(text: string): string;
  /**
   * The text of a list in a single parameter, with null for items without a value. Absent if each
   * item is a parameter.
   */
  readonly list?: (texts: readonly (string | null)[]) => string;
  /** The inside of `IN (…)` for a list in a placeholder. */
  listRows(placeholder: string, type: PropertyType): string;
  /**
   * The condition that a column is in a list parameter, written so that an index that begins with the
   * column can be used. Absent if `IN` can use the index, too.
   */
  readonly inList?: ExpressionDialect['amongKeys'];
  /** The condition that a column is in the list in a placeholder. */
  readonly amongKeys: (column: string, placeholder: string, type: PropertyType) => string;
  /** A value that may have another type of a column, such as an enumerated type or a `bit`, as one of `type`. */
  plain(sql: string, type: 'string' | 'number' | 'boolean' | 'integer'): string;
  /** The arguments for a path into JSON, which leads through members of objects and items of arrays. */
  jsonPaths(steps: readonly string[]): readonly string[];
  /** The value at the end of the paths, as JSON or as a scalar. `document` and `paths` return their SQL. */
  jsonPart(
    document: () => string,
    paths: readonly (() => string)[],
    type: BoundJsonPath['type'],
  ): string;
  /** The item of an array at a place, counted from 0. */
  element(array: () => string, index: number, item: ItemType): string;
  /** Whether a value is an item of an array; null only if the array is. */
  amongElements(value: string, array: () => string, item: ItemType): string;
  /** A column of dates as texts. Absent if no date is answered as null. */
  readonly storedDate?: (sql: string) => string;
  /** Binary data as base64. */
  base64(sql: string): string;
  /** The binary data of base64. */
  ofBase64(sql: string): string;
  /** The columns of a tuple as one value, the JSON of a list of texts, with base64 for binary data. */
  tuple(columns: readonly TypedSql[]): string;
  /**
   * The condition that the columns, of these types, match one of the tuples in the list in a
   * placeholder.
   */
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
   * A constant that is compared with a value whose type the database knows. Numbers are compared by
   * value, so neither may be converted to the width of the other.
   */
  compared(constant: ComparedConstant, other: ComparedWith): string;
  /** A column of numbers that must equal another value. */
  equatedColumn(column: TypedSql, other: ComparedWith): string;
  /** The condition that a value is in a list that is one parameter. */
  amongItems(value: string, list: ComparedList, other: ComparedWith): string;
  /**
   * An operator, whose operands need no further parentheses. Integers are computed with 64 bits. A
   * division by zero and a shift by too many bits give null.
   */
  binary(operator: DialectOperator, left: string, right: string, type: OperandTypes): string;
  /** A signed integer of 64 bits. The database fails for a larger one. */
  integer(sql: string): string;
  /** A string that is compared by code point, including trailing blanks. */
  byCodePoint(sql: string): string;
  /**
   * The reverse of `byCodePoint`: the string is compared by the collation of a column beside it. Absent
   * if the result of an aggregate has no collation of its own.
   */
  readonly uncollated?: (sql: string) => string;
  /** The null that is a string. Absent if a placeholder beside NULL is a string, too. */
  readonly nullText?: string;
  /**
   * The text of a decimal that is cast. Throws `value-out-of-range` if the database would replace it by
   * its greatest decimal. Absent if any decimal fits.
   */
  readonly bounded?: (text: string) => string;
  /**
   * A computed decimal that is stored in a temporary table, where it may have fewer digits than other
   * decimals. Absent if any decimal fits there.
   */
  readonly materialized?: (decimal: string) => string;
  /** Concatenates strings; the result is null if one of them is. */
  join(texts: readonly string[]): string;
  /**
   * The one-row table `arg` with the values as columns a1, a2, …, so that each value is computed once.
   */
  namedValues(values: readonly TypedSql[]): string;
  /** The functions that have a sub-select of their own. */
  readonly rowFunctions: ReadonlySet<string>;
  /**
   * The join in FROM that computes columns from each row. Present if a sub-select beside GROUP BY cannot read the row in
   * its own FROM.
   */
  readonly joinComputed?: ((columns: string, alias: string) => string) | undefined;
  /**
   * A column of that table. A string is compared by the collation of the column `collated`, if there is one.
   */
  valueNamed(name: string, type: PropertyType, collated: string | undefined): string;
  /** `- operand` for an integer. */
  negated(operand: string): string;
  /**
   * `left - right` for integers of which `right` may be the least one of 64 bits. Absent if the operator `-` fails
   * where the result is out of range.
   */
  readonly difference?: (left: string, right: string) => string;
  /** `~ operand` for an integer. */
  complement(operand: string): string;
  /**
   * An aggregate of an argument of `type`, which is rendered for each time that it occurs. Its result must not be
   * narrower than its operands.
   */
  aggregate(name: AggregateName, argument: () => string, type: PropertyType): string;
  /** Whether a key of ORDER BY may use the name of a column that is an aggregate. */
  readonly namesGroups: boolean;
  /** A key of ORDER BY, with nulls last in ascending order and first in descending order. */
  sortKey(key: () => string, descending: boolean, keep: (sql: string) => string): string;
  /**
   * A key of ORDER BY that is constant for some parameters of its statement, so that the others are sorted by
   * it nevertheless.
   */
  keepKey(sql: string): string;
  /** Whether powers and roots of decimals are doubles. */
  readonly hasDoublePowers: boolean;
  /** How deeply parentheses may nest in a statement. */
  readonly nestingMax: number;
  /** A value as a string, written as JavaScript would write it. */
  textOf(sql: string, type: PropertyType): string;
}

/** A parameter or a literal, as SQL. */
export interface ComparedConstant extends TypedSql {
  readonly isLiteral: boolean;
}

/** The placeholder of a list, and the type of its items. */
export interface ComparedList {
  readonly placeholder: string;
  readonly type: PropertyType;
}

/** The other operand of a comparison with a constant. */
export interface ComparedWith {
  readonly type: PropertyType;
  readonly isColumn: boolean;
  /** Whether it is a literal or a parameter. */
  readonly isConstant: boolean;
}

export interface TypedSql {
  readonly sql: string;
  readonly type: PropertyType;
}

export interface OperandTypes {
  readonly left: PropertyType;
  readonly right: PropertyType;
}

/**
 * The decimal places to which quotients and averages of exact numbers are rounded, because each
 * database has a different default.
 */
export const QUOTIENT_DIGITS = 20;
