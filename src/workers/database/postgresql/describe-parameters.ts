/** Asks PostgreSQL for the types that it infers for the placeholders of a statement. */
import type { Lease } from '../lease.js';
import { readTexts } from '../read-texts.js';
import type { ParameterTypes } from '../source.js';
import { noRows, plain, type Statement } from '../statement.js';

// With a modifier of -1, the name has no length. `character` alone would mean `character(1)`.
const ASK = `SELECT format_type(type, -1),
  EXISTS (SELECT FROM pg_collation WHERE NOT collisdeterministic)
FROM pg_prepared_statements, unnest(parameter_types) WITH ORDINALITY AS types(type, place)
WHERE statement = $1 ORDER BY place`;

/** Returns the types. The statement is prepared for this purpose, and executed with nulls. */
export async function describeParameters(
  lease: Lease,
  statement: Statement,
): Promise<ParameterTypes> {
  const parameters = statement.parameters.map(() => null);
  await lease.stream({ text: statement.text, parameters }, 1, noRows);
  const rows = await readTexts(lease, plain(ASK, [statement.text]));
  return { types: rows.map(([type]) => type ?? ''), hasLooseCollation: rows[0]?.[1] === 't' };
}
