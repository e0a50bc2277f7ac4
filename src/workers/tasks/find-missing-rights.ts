/** Finds the rights that requests may need and the database's user lacks. */
import { rightProbes, type RightProbe, type Schema, storedMapping } from '../../engine/index.js';
import { withTables } from '../database/drivers.js';
import { allows, type TableConnection } from '../database/table-connection.js';
import type { SourceDrift } from './find-drift.js';

/** The entities of all sources for which a right is missing. Rejects if a source cannot be reached. */
export async function findMissingRights(schema: Schema): Promise<readonly SourceDrift[]> {
  const found = schema.sources.map((source) =>
    withTables(source, async (connection) => {
      const lacking: SourceDrift[] = [];
      for (const entity of storedMapping(schema, source).entities) {
        const rights = await missingRights(rightProbes(entity, source.dialect), connection);
        const why = `The database does not grant its user ${rights.join(', ')}.`;
        if (rights.length > 0) lacking.push({ source: source.name, place: entity.name, why });
      }
      return lacking;
    }),
  );
  return (await Promise.all(found)).flat();
}

async function missingRights(probes: readonly RightProbe[], connection: TableConnection) {
  const rights: string[] = [];
  for (const probe of probes) {
    rights.push(...(await missing(probe, connection)));
    if (probe.isPrior && rights.length > 0) break;
  }
  return rights;
}

/** The right if it is missing: `SELECT`, or `SELECT (salary)` if it is missing only for some columns. */
async function missing(
  { right, properties, sql }: RightProbe,
  connection: TableConnection,
): Promise<readonly string[]> {
  if (await allows(connection, sql(properties))) return [];
  const denied: string[] = [];
  for (const property of properties) {
    if (!(await allows(connection, sql([property])))) denied.push(property.name);
  }
  const isPartial = denied.length > 0 && denied.length < properties.length;
  return [isPartial ? `${right} (${denied.join(', ')})` : right];
}
