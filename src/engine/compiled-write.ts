/**
 * The parts of a compiled write besides its text: frozen plain data, from which the rows in a
 * request's data are read, checked and written as statements.
 */
import type { Argument, DerivedTableStatement, Parameter } from './compiled-query.js';
import type { Expression } from './language/ast.js';
import type { Constraint, Digits, PropertyType } from './schema/model.js';

export type WriteAction = 'insert' | 'update' | 'upsert' | 'delete';

export type Write = RowsWrite | FilteredWrite;

/** What both kinds of writes have. */
interface WriteOfTable {
  /** The table as SQL, and its name in the database's catalog. */
  readonly table: string;
  readonly storedTable: string;
  /** The schema that the mapping names. */
  readonly storedSchema?: string;
  /** Every constraint of the entity that may be displayed. */
  readonly constraints: readonly Constraint[];
  /** The constraints among them that Rowgate evaluates. */
  readonly conditions: readonly WriteCondition[];
  /** The checks of written rows, whose results the statements return after everything else. */
  readonly checks?: readonly WriteCheck[];
}

/** Writes the rows in the data. */
export interface RowsWrite extends WriteOfTable {
  readonly kind: 'rows';
  readonly action: Exclude<WriteAction, 'delete'>;
  readonly fields: readonly WriteField[];
  readonly primaryKey: readonly string[];
  readonly uniqueKey: readonly string[];
  /** The keys that an existing row keeps, because the clause does not list them. */
  readonly unchanged?: readonly string[];
  /** The properties that the statements return, in order. */
  readonly returned: readonly string[];
  /** For returned properties that are not plain columns: SQL over the alias of the table. */
  readonly returning?: Readonly<Record<string, string>>;
  /** The condition of rows that may be changed, as SQL over the alias of the table. */
  readonly predicate?: string;
  /** The same condition over the name of the table, for an INSERT without an alias. */
  readonly predicateByName?: string;
  /**
   * The path to the rows: in the data of the request or, for an include, in the parent's object.
   */
  readonly path: readonly string[];
  /** Whether an object is expected there, a list of objects, or either. */
  readonly shape: 'one' | 'many' | 'either';
  /** For an include: the key between its rows and their parents. */
  readonly link?: WriteLink;
  /** Set if a view hides a key of rows that it shows with other values than the stored ones. */
  readonly mustRead?: true;
  /** Set if a view hides a property without which no new row can be stored. */
  readonly lacksHidden?: true;
}

/** A condition that a written row must meet. */
export interface WriteCheck {
  /** Over the alias of the table. */
  readonly sql: string;
  /** The properties of the foreign key that it checks; absent if it checks the row itself. */
  readonly reference?: readonly string[];
  /** Set if the view hides one of them, so that no error may name them. */
  readonly hidden?: true;
}

/** The foreign key between the rows of an include and their parents. */
export interface WriteLink {
  /** Which side has the foreign key: the child (`to`) or the parent (`from`). */
  readonly holder: 'parent' | 'child';
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** Writes the rows that a filter or their key selects in the database. */
export interface FilteredWrite extends WriteOfTable {
  readonly kind: 'filtered';
  readonly action: 'update' | 'delete';
  /** The values of properties that are known without the database. */
  readonly assigned: readonly AssignedField[];
  /** The properties whose values only the database computes. */
  readonly computed: readonly string[];
  /** The path to the object with the included rows. */
  readonly base: readonly string[];
  /** If set, the properties to write are those of the object at this path. */
  readonly presentIn?: { readonly path: readonly string[]; readonly properties: readonly string[] };
  /** If set, the objects at this path identify rows by their keys. */
  readonly keyedBy?: KeyedBy;
  /**
   * A statement that runs first, if the main one does not return the rows that it writes. It locks
   * the rows, and returns the keys that they will have.
   */
  readonly before?: { readonly text: string; readonly arguments: readonly Argument[] };
  /** Set if a delete uses the keys that the first statement returns: the types of their columns. */
  readonly byKey?: { readonly types: readonly PropertyType[] };
  /** How updates of several requests run as one; absent if each runs by itself. */
  readonly merged?: MergedUpdate;
  /** The SELECT of the rows after the update, if it does not return them. */
  readonly after?: SelectAfter;
}

/**
 * An UPDATE of at most one row for each row of a derived table of arguments. It returns the `ord`
 * of those that found a row.
 */
export interface MergedUpdate extends DerivedTableStatement {
  /**
   * The dotted name of the parameter with the integer key. Requests with the same key cannot be
   * merged.
   */
  readonly parameter: string;
}

/** Reads the columns of the statement and the results of checks by keys, which `before` returns after its columns. */
export interface SelectAfter {
  /** The text before the list of keys. */
  readonly head: string;
  /** The types of the parts of a key. */
  readonly types: readonly PropertyType[];
}

export interface AssignedField {
  readonly field: WriteField;
  readonly value:
    | Extract<Argument, { kind: 'parameter' | 'literal' }>
    | { readonly kind: 'null' }
    | Extract<FieldValue, { kind: 'computed' }>;
}

export interface RowExpression {
  readonly expression: Expression;
  /** The properties that it reads. */
  readonly reads: readonly string[];
}

/** What is stored instead of a value. */
export interface ChangingExpression extends RowExpression {
  /** The properties among those that it reads that a view hides; absent if there are none. */
  readonly hidden?: readonly string[];
}

export interface WriteCondition extends Constraint, RowExpression {
  /** Set if the expression reads hidden properties, so that its text is not displayed. */
  readonly hidden?: true;
  /** What it reads and the database may fill in. In a new row, any other property without a value is null. */
  readonly filledIn: readonly string[];
}

/** A property of written rows. */
export interface WriteField {
  readonly property: string;
  /** Set if a view hides it, so that no error may name it. */
  readonly hidden?: true;
  readonly type: PropertyType;
  /** The column as SQL, and its name in the database's catalog. */
  readonly column: string;
  readonly storedColumn: string;
  readonly required: boolean;
  /** Set for a string whose stored value becomes a foreign key of related rows. */
  readonly isLink?: true;
  /** Whether the database generates a missing value. */
  readonly generated: boolean;
  readonly length?: number;
  /** The digits of a decimal, to which the database rounds it. */
  readonly digits?: Digits;
  /** Set for dates that the database can store only in the years 1 to 9999. */
  readonly commonYears?: true;
  /** The canonical texts of its enum's values. */
  readonly allowed?: readonly string[];
  readonly default?: FieldDefault;
  /** Replaces the value before it is stored; evaluated over the row's values. */
  readonly writeValue?: ChangingExpression;
  /** The SQL around the stored value, in pieces before and after it. */
  readonly writeExp?: readonly string[];
  /** The value that the property has in every row of the entity. */
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
  /** A parameter relative to the row's object, which must be present. */
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

/** The objects that identify rows by their keys. Parts that all rows share may be omitted. */
export interface KeyedBy {
  readonly path: readonly string[];
  readonly keys: readonly string[];
  readonly fixed: readonly FixedKey[];
}

/** A part of a key that all rows of an entity share, and the error for a different value. */
export interface FixedKey {
  readonly property: string;
  readonly text: string;
  readonly message: string;
}
