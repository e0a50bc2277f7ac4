/** The types of the gateway's descriptions, as docs/http.md shows them. */

export interface Property {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly autoIncrement?: boolean;
  readonly length?: number;
  readonly enum?: string;
  readonly description?: string;
}

export interface Relation {
  readonly name: string;
  readonly type: 'oneToMany' | 'manyToOne' | 'oneToOne';
  readonly entity: string;
}

export interface Entity {
  readonly name: string;
  readonly description?: string;
  readonly primaryKey: readonly string[];
  readonly uniqueKey: readonly string[];
  readonly properties: readonly Property[];
  readonly relations: readonly Relation[];
}

/** A parameter of a query, or a member of a row of its answer. */
export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly children?: readonly Parameter[];
}

/** The parameter and member that links included rows to their parents. Users do not enter it, and rows lack it. */
export const PARENT_KEY = 'ServiceParentId';

export interface PlanNode {
  readonly entity: string;
  readonly dialect: string;
  readonly source: string;
  readonly sentence: string;
  readonly children?: readonly PlanNode[];
}

/** A query as the endpoints accept it. */
export interface Query {
  readonly query: string;
  readonly data?: unknown;
  readonly options?: { readonly stage?: string; readonly view?: string };
}

/** Whether a relation leads to many rows. */
export function isToMany({ type }: Relation): boolean {
  return type === 'manyToOne';
}
