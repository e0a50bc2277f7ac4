/**
 * The value that a query expression compiles to: frozen plain data, which is cached, cloned between
 * threads, executed and described. Whatever needs closures is rebuilt from it once a thread.
 */
import type { Position } from './errors.js';
import type { Write } from './compiled-write.js';
import type { Expression } from './language/ast.js';
import type { DialectName, PropertyType } from './schema/model.js';

/** A scalar type, or a list of one (`[integer]`). */
export type ValueType = PropertyType | `[${PropertyType}]`;

/** What a placeholder of a statement stands for, in the order of `$1`, `$2`, … */
export type Argument =
  /** `path` of the data (`["entity", "name"]` for `entity.name`). */
  | {
      readonly kind: 'parameter';
      readonly path: readonly string[];
      readonly type: ValueType;
      /** Set where the value travels as its JSON text. */
      readonly isJson?: true;
      /** Whether the database is to read it as a decimal, which may have no room for it. */
      readonly isBounded?: true;
    }
  /** A literal of the expression: its canonical text. */
  | { readonly kind: 'literal'; readonly text: string; readonly type: PropertyType }
  /** What is stored in place of the value of a property, by its `writeValue`. */
  | { readonly kind: 'changed'; readonly property: string; readonly type: PropertyType }
  /** The instant of the request, or its date or time of day. */
  | { readonly kind: 'instant'; readonly type: 'dateTime' | 'date' | 'time' }
  /**
   * The keys of the parent's rows as one array; for a delete, a column of the locked rows. `parts`: the types
   * of the parts of keys that are several columns; each key is the JSON text of a list of texts then.
   */
  | {
      readonly kind: 'parentKeys';
      readonly type: PropertyType;
      readonly column?: number;
      readonly parts?: readonly PropertyType[];
    }
  /** A part of the key of one locked row that is to be deleted. */
  | { readonly kind: 'keyPart'; readonly type: PropertyType; readonly part: number }
  /** A number of rows. */
  | { readonly kind: 'count'; readonly count: Count }
  /** How many rows stand before a page, and up to its end. */
  | { readonly kind: 'pageStart' | 'pageEnd'; readonly page: Count; readonly size: Count };

/** A whole number of the expression or of the data. */
export type Count =
  | { readonly kind: 'literal'; readonly value: number }
  | { readonly kind: 'parameter'; readonly path: readonly string[] };

/** A column of a statement, in the order of its SELECT list. */
export interface Column {
  readonly name: string;
  readonly type: PropertyType;
  /** `value`: in the answer; `key`: `__id`, `__x`; `parent`: `ServiceParentId`. */
  readonly role: 'value' | 'key' | 'parent';
  /** Set where Rowgate computes what is answered from what the database sends. */
  readonly read?: ColumnRead;
  /** Set where the database sends the JSON text of a value of the data. */
  readonly isJson?: true;
}

/** An expression over columns of the same row. */
export interface ColumnRead {
  readonly entity: string;
  readonly property: string;
  readonly expression: Expression;
  /** The names that it reads, with the index of the column of each. */
  readonly inputs: readonly {
    readonly name: string;
    readonly column: number;
    readonly type: PropertyType;
  }[];
}

/** A parameter of the query, its type inferred. */
export interface Parameter {
  /** The dotted path (`entity.name`). */
  readonly name: string;
  readonly type: ValueType;
}

/** A relation that is included: its own statement, and how its rows find their parents. */
export interface Include {
  readonly relation: string;
  /** `many`: an array under the relation's name; `one`: an object or null. */
  readonly cardinality: 'one' | 'many';
  /** The index, in the parent's columns, of the key whose value the child lists as ServiceParentId. */
  readonly parentKeyColumn: number;
  readonly statement: StatementPlan;
}

/** One statement of the plan, and all that describes it. */
export interface StatementPlan {
  readonly entity: string;
  readonly alias: string;
  /** The place of the statement for `/metadata`, counted from 0. */
  readonly position: Position;
  readonly clause: 'select' | 'insert' | 'update' | 'upsert' | 'delete';
  readonly source: string;
  readonly dialect: DialectName;
  /** The SQL text. */
  readonly text: string;
  /** The text that plans display, where the statement names what the view hides, or uses `= ANY` for `IN`. */
  readonly displayed?: string;
  readonly columns: readonly Column[];
  /** The parameters that this statement itself uses, in the order of the text. */
  readonly parameters: readonly Parameter[];
  readonly arguments: readonly Argument[];
  readonly includes: readonly Include[];
  /** Of a statement that writes: how the rows of the data become statements. */
  readonly write?: Write;
}

/** How requests of one plan that wait together run as one statement. */
export interface BatchStatements {
  /** Absent where the database has no such statement. */
  readonly derivedTable?: DerivedTableStatement;
  /** Better, where equality of the key in the database is that of its text. */
  readonly inList?: InListStatement;
  /** Where the database has no rows of arguments beside which a statement could run. */
  readonly union?: UnionStatement;
  /** Better, where the filter is an equality of a column with a text. */
  readonly joinedKeys?: JoinedKeysStatement;
}

/** The filter is an equality of a column with one parameter: the statement takes a list of keys. */
export interface InListStatement {
  readonly text: string;
  /** The list of keys is the one of kind `parentKeys`. */
  readonly arguments: readonly Argument[];
  /** The dotted name of the parameter that holds a request's key. */
  readonly parameter: string;
  readonly type: PropertyType;
  /**
   * The index of the column by which rows are demultiplexed to the requests; of integers one behind those of
   * the statement.
   */
  readonly keyColumn: number;
}

/**
 * Any other read: the plan's statement, once for each row of a list of arguments. Behind the columns
 * of the statement stands the number of the row, from 1.
 */
export interface DerivedTableStatement {
  /** The text in pieces, between which the SQL types of the arguments stand. */
  readonly pieces: readonly string[];
  /** One list each; they are the first placeholders. */
  readonly listed: readonly Argument[];
  /** What is the same for every request: the placeholders behind the lists. */
  readonly shared: readonly Argument[];
  /** Of each listed argument, its index among the arguments of the plan's own statement. */
  readonly origins: readonly number[];
}

/**
 * Any other read where there is no LATERAL: the plan's statement, once for each request, united. Behind
 * its columns stands the number of the request, from 1.
 */
export interface UnionStatement {
  /** The statement of one request in two pieces, between which its number stands. */
  readonly pieces: readonly [string, string];
  /** The placeholders of one request. */
  readonly arguments: readonly Argument[];
}

/**
 * The filter is an equality of a column with one parameter, by the column's own collation: the table
 * is joined with the keys of the requests. Behind the columns stands the number of the request.
 */
export interface JoinedKeysStatement {
  /** The text in two pieces, between which the keys stand, each with its number. */
  readonly pieces: readonly [string, string];
  readonly key: Argument;
  /** What is the same for every request: the placeholders of the first piece. */
  readonly before: readonly Argument[];
  /** And those of the second one. */
  readonly after: readonly Argument[];
}

/** Parameters of no known type that are answered. */
export interface AnsweredParameters {
  /** They are used in no other way, and may be lists and objects. */
  readonly only: readonly string[];
  /** They stand elsewhere, too. */
  readonly also: readonly string[];
}

export interface CompiledQuery {
  readonly expression: string;
  readonly stage: string;
  readonly view: string;
  readonly root: StatementPlan;
  /** Every parameter of the whole tree, each once. */
  readonly parameters: readonly Parameter[];
  /** Absent where each request runs alone. */
  readonly batch?: BatchStatements;
  /**
   * Names of parameters in `==` or `!=`: when one is null at run time, the query is compiled again with
   * the literal null in its place.
   */
  readonly nullSensitive: readonly string[];
  /**
   * Names of parameters that are only compared with integers: when the value of one is another number, or
   * has no room in 64 bits, the query is compiled again with it as a decimal.
   */
  readonly numberSensitive: readonly string[];
  /** Parameters that are compared with each other and with nothing of a known type, by groups. */
  readonly openComparisons?: readonly (readonly string[])[];
  /** Names of parameters that are answered as they are given; of most queries there are none. */
  readonly answered?: AnsweredParameters;
  /** An estimate of the bytes that this value holds, for the bound of the cache. */
  readonly bytes: number;
}
