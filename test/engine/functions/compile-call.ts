/** Compiles queries that answer with the value of one expression, for either dialect. */
import { compileQuery } from '../../../src/engine/compile.js';
import type { CompiledQuery } from '../../../src/engine/compiled-query.js';
import { type Catalog, createCatalog } from '../../../src/engine/schema/catalog.js';
import { loadSchema } from '../../../src/engine/load/load.js';
import type { DialectName } from '../../../src/engine/schema/model.js';
import { type ParameterValues, readArguments } from '../../../src/engine/input/arguments.js';
import type { DataObject } from '../../../src/engine/values/data-value.js';
import { northwindDocument } from '../schema/northwind.js';

const limits = { expressionLengthMax: 100_000, nestingMax: 64, includeDepthMax: 4 };

const catalogs: Readonly<Record<DialectName, Catalog>> = {
  PostgreSQL: catalogOf('PostgreSQL'),
  MySQL: catalogOf('MySQL'),
  MariaDB: catalogOf('MariaDB'),
};

/** Compiles a whole query. */
export function compile(
  expression: string,
  dialect: DialectName = 'PostgreSQL',
  variant: readonly string[] = [],
): CompiledQuery {
  const request = { expression, stage: 'default', view: 'default', limits, variant };
  return compileQuery(catalogs[dialect], request);
}

/**
 * Compiles a query for given parameter values, again if their types differ from those that its plan
 * expects.
 */
export function compileFor(
  expression: string,
  { data, instant }: { readonly data: DataObject; readonly instant: string },
  dialect: DialectName = 'PostgreSQL',
): { readonly plan: CompiledQuery; readonly values: ParameterValues } {
  const first = compile(expression, dialect);
  const { variant } = readArguments(first, data, instant);
  const plan = variant.length === 0 ? first : compile(expression, dialect, variant);
  return { plan, values: readArguments(plan, data, instant) };
}

/** The query that answers with `{r: call}` for the row with the given id. */
export function queryOf(call: string, entity: string, id: number): string {
  return `${entity}.filter(p=>p.id==${id}).map(p=>({r: ${call}}))`;
}

/** The catalog of the sample, with a source of the given dialect. */
function catalogOf(dialect: DialectName): Catalog {
  const schema = loadSchema(northwindDocument());
  return createCatalog({
    ...schema,
    sources: schema.sources.map((each) => ({ ...each, dialect })),
  });
}
