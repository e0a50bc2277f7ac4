/** Queries that answer with the value of one expression, in either dialect. */
import { compileQuery } from '../../../src/engine/compile.js';
import type { CompiledQuery } from '../../../src/engine/compiled-query.js';
import { type Catalog, createCatalog } from '../../../src/engine/schema/catalog.js';
import { loadSchema } from '../../../src/engine/load/load.js';
import type { DialectName } from '../../../src/engine/schema/model.js';
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
  nullParameters: readonly string[] = [],
): CompiledQuery {
  const request = { expression, stage: 'default', view: 'default', limits, nullParameters };
  return compileQuery(catalogs[dialect], request);
}

/** The query that answers with `{r: call}` of the row with that id. */
export function queryOf(call: string, entity: string, id: number): string {
  return `${entity}.filter(p=>p.id==${id}).map(p=>({r: ${call}}))`;
}

/** The sample's catalog, its source of that dialect. */
function catalogOf(dialect: DialectName): Catalog {
  const schema = loadSchema(northwindDocument());
  return createCatalog({
    ...schema,
    sources: schema.sources.map((each) => ({ ...each, dialect })),
  });
}
