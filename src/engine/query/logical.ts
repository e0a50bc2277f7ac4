/**
 * The bound query: names are resolved and expressions typed, before any SQL. The rows that expressions
 * read are objects; rendering gives them aliases.
 */
import type { Span } from '../errors.js';
import type { BinaryOperator, Expression } from '../language/ast.js';
import type { Location } from '../schema/locate.js';
import type { Entity, ItemType, PropertyType, Relation } from '../schema/model.js';
import type { FunctionSignature } from './functions/signature.js';
import type { ParameterSlot } from './parameters.js';

/** A row that expressions read: the entity's own, or one joined along a to-one path. */
export interface RowSource {
  readonly entity: Entity;
  readonly location: Location;
  /** Joins by relation, in the order of first use; each path is joined once. */
  readonly joins: Map<string, JoinedRow>;
  /**
   * Whether the row may be absent because a join on its path is a LEFT JOIN. Set when the row is
   * joined.
   */
  optional: boolean;
  /** For a joined row: a property that is null if the row is absent. */
  presence: string | undefined;
  /** Whether only conditions of the schema read the row, and the query does not. */
  readonly isAuxiliary: boolean;
  /** The conditions on its own columns that make it a visible row of its entity. */
  readonly predicates: readonly Bound[];
  /** The statement that reads the row. */
  readonly statement: StatementSize;
}

/** Counters of a statement while it is bound. */
export interface StatementSize {
  joins: number;
}

export interface JoinedRow {
  readonly relation: Relation;
  readonly row: RowSource;
}

export type Bound =
  | BoundColumn
  | BoundReading
  | BoundParameter
  | BoundLiteral
  | BoundNull
  | BoundUnary
  | BoundBinary
  | BoundConditional
  | BoundList
  | BoundTuple
  | BoundJsonPath
  | BoundElement
  | BoundCall
  | BoundAggregate
  | BoundSubselect;

interface Placed<Kind extends string> {
  readonly kind: Kind;
  readonly span: Span;
}

interface Valued<Kind extends string, Type = PropertyType> extends Placed<Kind> {
  readonly type: Type;
}

export interface BoundColumn extends Valued<'column'> {
  readonly row: RowSource;
  readonly property: string;
  /** The column's name in the mapping. */
  readonly column: string;
  readonly nullable: boolean;
  /** The enum of the values, which may be a type in the database. */
  readonly enumName?: string;
  /** The values that a query may compare with it. */
  readonly enumValues?: readonly string[];
  /** Whether a mapping's expression reads the column, which may have any type in the database. */
  readonly isUntyped?: true;
}

/**
 * A property that Rowgate computes after it has read the row (`readValue`). It can be returned, but the
 * database cannot use it.
 */
export interface BoundReading extends Valued<'reading'> {
  readonly entity: string;
  readonly property: string;
  /** What the database returns in its place. */
  readonly stored: Bound;
  readonly expression: Expression;
  /** The properties of the row that the expression reads, as the database returns them. */
  readonly inputs: readonly BoundOutput[];
}

export interface BoundParameter extends Placed<'parameter'> {
  readonly slot: ParameterSlot;
  /** Set if the answer repeats the value as it was sent. */
  readonly isJson?: true;
}

export interface BoundLiteral extends Valued<'literal'> {
  /** The canonical text: digits, `true`/`false`, the text itself, ISO 8601. */
  readonly text: string;
}

/** `null`, or a parameter that is known to be null. */
export interface BoundNull extends Placed<'null'> {
  /** The aggregate for which it stands: its only values are nulls, but it makes groups. */
  readonly aggregate?: BoundAggregate;
}

export interface BoundUnary extends Valued<'unary'> {
  readonly operator: '!' | '-' | '~';
  readonly operand: Bound;
}

export interface BoundBinary extends Valued<'binary'> {
  readonly operator: Exclude<BinaryOperator, '**' | '//'> | 'join';
  readonly left: Bound;
  readonly right: Bound;
}

export interface BoundConditional extends Valued<'conditional'> {
  readonly test: Bound;
  readonly consequent: Bound;
  readonly alternate: Bound;
}

/**
 * `[a, b]`, where a function takes a list, with the type of every item; a list parameter is a
 * {@link BoundParameter}.
 */
export interface BoundList extends Valued<'list'> {
  readonly items: readonly Bound[];
}

/** Several columns as one value, for comparing rows: a JSON array of their texts. */
export interface BoundTuple extends Valued<'tuple', 'json'> {
  readonly items: readonly BoundColumn[];
}

/**
 * A part of a JSON value: either as JSON, or as a scalar, which is null if the part has another type.
 */
export interface BoundJsonPath
  extends Valued<'jsonPath', 'json' | 'string' | 'decimal' | 'boolean'> {
  readonly document: Bound;
  /** Names of members, or indexes of items. */
  readonly steps: readonly string[];
}

/** The item of an array at a place, counted from 0; null where there is none. */
export interface BoundElement extends Valued<'element', ItemType> {
  readonly array: Bound;
  readonly index: number;
}

/** A function applied to values of one row. */
export interface BoundCall extends Valued<'call'> {
  readonly signature: FunctionSignature;
  readonly arguments: readonly Bound[];
}

export type AggregateName = 'avg' | 'count' | 'max' | 'min' | 'sum';

/** An aggregate over the rows of a group. */
export interface BoundAggregate extends Valued<'aggregate'> {
  readonly name: AggregateName;
  /** Undefined for `count()`, which counts rows. */
  readonly argument: Bound | undefined;
  readonly distinct: boolean;
}

/**
 * An aggregate over the rows of a to-many relation, or a test whether there are any. `first`: a value
 * of the first row in sort order; `only`: a value of the single row at the end of a to-one relation.
 */
export interface BoundSubselect extends Omit<BoundAggregate, 'kind' | 'name'> {
  readonly kind: 'subselect';
  readonly name: AggregateName | 'exists' | 'first' | 'only';
  /** The values of the outer row that the relation starts from. */
  readonly keys: readonly Bound[];
  /** The columns that equal these values. */
  readonly ties: readonly BoundColumn[];
  /** The row of the related entity. */
  readonly row: RowSource;
  readonly filter: Bound | undefined;
  /** Only for `first`. */
  readonly sort?: readonly BoundSortKey[];
}

/** A column of the answer. */
export interface BoundOutput {
  readonly name: string;
  readonly value: Bound;
}

export interface BoundSortKey {
  readonly value: Bound;
  /** The output with exactly this value. */
  readonly output: string | undefined;
  readonly descending: boolean;
}

/** Which part of the sorted rows is returned; in an include, for each parent. */
export type BoundLimit =
  | { readonly kind: 'page'; readonly page: Bound; readonly size: Bound }
  | { readonly kind: 'take'; readonly count: Bound };

/** The clause `after`: the rows that follow a cursor. */
export interface BoundAfter {
  /** The dotted name of the parameter that holds the cursor. */
  readonly parameter: string;
  /** Undefined for the first page. */
  readonly condition: Bound | undefined;
}

export interface BoundSelect {
  readonly row: RowSource;
  readonly outputs: readonly BoundOutput[];
  /** Whether the outputs are all properties of plain rows, because there is no map. */
  readonly whole: boolean;
  readonly distinct: boolean;
  readonly filter: Bound | undefined;
  /** Whether the rows are groups, whose keys are the outputs without an aggregate. */
  readonly grouped: boolean;
  readonly having: Bound | undefined;
  readonly sort: readonly BoundSortKey[];
  readonly limit: BoundLimit | undefined;
  readonly after?: BoundAfter;
  /** Answer with the number of rows instead of the rows. */
  readonly counted: boolean;
  readonly includes: readonly BoundInclude[];
  /** The offset in the query's text by which `/metadata` identifies this statement. */
  readonly offset: number;
}

export interface BoundInclude {
  /** The name in the answer: the relation's name, or the key of a map. */
  readonly name: string;
  readonly relation: Relation;
  readonly select: BoundSelect;
  /** The columns that contain the key of a row's parent. */
  readonly parentKey: readonly BoundColumn[];
}
