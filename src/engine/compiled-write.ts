/**
 * What a statement that writes holds beside its text: frozen plain data, from which the rows of a
 * request's data are read, checked and laid out as statements.
 */
import type { Argument, DerivedTableStatement, Parameter } from './compiled-query.js';
import type { Expression } from './language/ast.js';
import type { Constraint, PropertyType } from './schema/model.js';

/** What is done to rows. */
export type WriteAction = 'insert' | 'update' | 'upsert' | 'delete';

export type Write = RowsWrite | FilteredWrite;

/** Writes the rows that the data holds. */
export interface RowsWrite {
  readonly kind: 'rows';
  readonly action: Exclude<WriteAction, 'delete'>;
  /** The table as SQL, and its name in the database's catalog. */
  readonly table: string;
  readonly storedTable: string;
  readonly fields: readonly WriteField[];
  readonly primaryKey: readonly string[];
  readonly uniqueKey: readonly string[];
  /** Every constraint of the entity that may be displayed. */
  readonly constraints: readonly Constraint[];
  /** The entity's own ones of them, to be evaluated. */
  readonly conditions: readonly WriteCondition[];
  /** The properties that the statements return, in their order. */
  readonly returned: readonly string[];
  /** By what is returned: the SQL over the alias of the table, where it is no plain column. */
  readonly returning?: Readonly<Record<string, string>>;
  /** The SQL over the alias of the table that holds for the rows which may be touched. */
  readonly predicate?: string;
  /** The same over the table by its own name, where an INSERT knows no alias. */
  readonly predicateByName?: string;
  /** What the statements return behind all else: whether written rows may stand. */
  readonly checks?: readonly WriteCheck[];
  /** Where the rows are: in the data of the request, or, of an include, in the parent's object. */
  readonly path: readonly string[];
  /** Whether an object is expected there, a list of them, or either. */
  readonly shape: 'one' | 'many' | 'either';
  /** Of an include: which key ties its rows to their parents. */
  readonly link?: WriteLink;
}

/** A condition that a written row must meet. */
export interface WriteCheck {
  /** Over the alias of the table. */
  readonly sql: string;
  /** The foreign key that it is about; absent: the row itself. */
  readonly property?: string;
}

/** The foreign key between the rows of an include and their parents. */
export interface WriteLink {
  /** Whose properties it is: the child's (`to`), or the parent's (`from`). */
  readonly holder: 'parent' | 'child';
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** Writes the rows that a filter, or their key, chooses in the database. */
export interface FilteredWrite {
  readonly kind: 'filtered';
  readonly action: 'update' | 'delete';
  readonly storedTable: string;
  /** What the statement returns behind all else of each row that it has updated. */
  readonly checks?: readonly WriteCheck[];
  /** What properties are set to, as far as it is known before the database is asked. */
  readonly assigned: readonly AssignedField[];
  /** Those whose value only the database computes. */
  readonly computed: readonly string[];
  readonly constraints: readonly Constraint[];
  readonly conditions: readonly WriteCondition[];
  /** Where the object is that holds the rows which it includes. */
  readonly base: readonly string[];
  /** Set where the properties to write are those that the object at this path has. */
  readonly presentIn?: { readonly path: readonly string[]; readonly properties: readonly string[] };
  /** Set where the objects at this path name the rows by their keys. */
  readonly keyedBy?: KeyedBy;
  /**
   * If the statement does not return the rows that it writes: the statement before it, which locks them
   * and returns the keys that they will have.
   */
  readonly before?: { readonly text: string; readonly arguments: readonly Argument[] };
  /**
   * Set if a delete uses the keys that the statement before returns: the number of key columns, which come
   * first.
   */
  readonly byKey?: { readonly columns: number; readonly parts: number };
  /** How updates of several requests run as one; absent where each runs by itself. */
  readonly merged?: MergedUpdate;
  /** If the UPDATE does not return the results of its checks: the SELECT that does. */
  readonly after?: ChecksAfter;
}

/**
 * An UPDATE of at most one row for each row of a derived table of arguments; it returns the `ord` of those
 * that found a row.
 */
export interface MergedUpdate extends DerivedTableStatement {
  /** The dotted name of the parameter that holds an integer key. Requests with the same key cannot be merged. */
  readonly parameter: string;
}

/** Reads the results of checks by keys that follow the columns of the statement. */
export interface ChecksAfter {
  /** Up to the list of keys. */
  readonly head: string;
  /** The types of the parts of a key. */
  readonly types: readonly PropertyType[];
}

export interface AssignedField {
  readonly field: WriteField;
  readonly value:
    | Extract<Argument, { kind: 'parameter' | 'literal' }>
    | { readonly kind: 'null' }
    /** Evaluated over these parameters. */
    | {
        readonly kind: 'computed';
        readonly expression: Expression;
        readonly parameters: readonly Parameter[];
      };
}

/** An expression over the values of a row. */
export interface RowExpression {
  readonly expression: Expression;
  /** The properties that it reads. */
  readonly reads: readonly string[];
}

export interface WriteCondition extends Constraint, RowExpression {
  /**
   * Set if the view hides what it reads, so that its text is not displayed: the hidden properties, which
   * are null in a new row without defaults for them.
   */
  readonly hidden?: readonly string[];
}

/** A property of the rows that are written. */
export interface WriteField {
  readonly property: string;
  readonly type: PropertyType;
  /** The column as SQL, and its name in the database's catalog. */
  readonly column: string;
  readonly storedColumn: string;
  readonly required: boolean;
  /** Whether the database makes a value when there is none. */
  readonly generated: boolean;
  readonly length?: number;
  /** The canonical texts of its enum's values. */
  readonly allowed?: readonly string[];
  readonly default?: FieldDefault;
  /** What is stored in place of the value, evaluated over the row's values. */
  readonly writeValue?: RowExpression;
  /** The SQL around the value as it is written, in pieces between which the value stands. */
  readonly writeExp?: readonly string[];
  /** The value that it has in every row of the entity. */
  readonly fixed?: string;
  readonly value: FieldValue;
}

/** A canonical text, or an expression that is evaluated for each request. */
export type FieldDefault =
  | { readonly kind: 'text'; readonly text: string }
  | ({ readonly kind: 'expression' } & RowExpression);

/** Where the value of a field comes from. */
export type FieldValue =
  /** A member of the row's object, which may be absent. */
  | { readonly kind: 'member'; readonly name: string }
  /** A parameter, relative to the row's object: it must be there. */
  | { readonly kind: 'parameter'; readonly path: readonly string[] }
  | { readonly kind: 'literal'; readonly text: string | null }
  /** Evaluated over parameters, whose names are relative to the row's object. */
  | {
      readonly kind: 'computed';
      readonly expression: Expression;
      readonly parameters: readonly Parameter[];
    }
  /** The request does not set it. */
  | { readonly kind: 'none' };

/** The objects that name rows by their keys; parts that all rows of the entity share may be left out. */
export interface KeyedBy {
  readonly path: readonly string[];
  readonly keys: readonly string[];
  readonly fixed: readonly FixedKey[];
}

/** A part of a key that all rows of an entity share, and what is said where data has another. */
export interface FixedKey {
  readonly property: string;
  readonly text: string;
  readonly message: string;
}
