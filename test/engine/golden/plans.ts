/** Compiles golden cases for each dialect, as the program would with their data. */
import {
  type Catalog,
  type CompiledQuery,
  compileQuery,
  createCatalog,
  type DataValue,
  EngineError,
  loadSchema,
  type ParameterValues,
  readArguments,
  type StatementPlan,
  toProblem,
} from '../../../src/engine/index.js';
import { northwindDocument } from '../schema/northwind.js';
import type { GoldenCase, GoldenText } from './cases.js';

const limits = { expressionLengthMax: 65_536, nestingMax: 64, includeDepthMax: 3 };

/** The catalogs of the sample, by the key of their statements in a case. */
export const catalogs = {
  postgresql: catalogOf('PostgreSQL'),
  mysql: catalogOf('MySQL'),
} as const;

/** A plan, and the data that its statements are executed with. */
export interface GoldenPlan {
  readonly plan: CompiledQuery;
  readonly values: ParameterValues;
}

/**
 * The plan of a query with its data. It is compiled again if the data does not have the types that the
 * plan expects.
 */
export function planOf(catalog: Catalog, query: string, data?: DataValue): GoldenPlan {
  const request = { expression: query, stage: 'default', view: 'default', limits };
  const plan = compileQuery(catalog, request);
  const values = readArguments(plan, data);
  const { variant } = values;
  if (variant.length === 0) return { plan, values };
  return { plan: compileQuery(catalog, { ...request, variant }), values };
}

/** The case with the current result of compiling its query. */
export function settle({ comment, query, data }: GoldenCase): GoldenCase {
  const asked = { comment, query, ...(data !== undefined && { data }) };
  try {
    const { plan } = planOf(catalogs.postgresql, query, data);
    const sql = {
      postgresql: textOf(plan.root),
      mysql: textOf(planOf(catalogs.mysql, query, data).plan.root),
    };
    if (plan.parameters.length === 0) return { ...asked, sql };
    const parameters = Object.fromEntries(plan.parameters.map(({ name, type }) => [name, type]));
    return { ...asked, sql, parameters };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { ...asked, error: toProblem(error) };
  }
}

function textOf(root: StatementPlan): GoldenText {
  return root.includes.length === 0 ? root.text : textsOf(root);
}

function textsOf(statement: StatementPlan): string[] {
  return [statement.text, ...statement.includes.flatMap((each) => textsOf(each.statement))];
}

function catalogOf(dialect: string): Catalog {
  const text = JSON.stringify(northwindDocument()).replaceAll('"PostgreSQL"', `"${dialect}"`);
  return createCatalog(loadSchema(JSON.parse(text)));
}
