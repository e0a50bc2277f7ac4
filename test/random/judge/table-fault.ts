/** Checks whether the tables contain the right rows. */
import { type Client, describeReply } from '../drive/client.js';
import type { Expected, ExpectedRow } from '../evaluate/expected.js';
import type { Tables } from '../evaluate/tables.js';
import { parseAnswer } from './answered.js';
import { difference } from './differences.js';
import type { Domain } from '../world/domain.js';

/** What is wrong with the rows of an entity; undefined if they are right. */
export async function tableFault(
  client: Client,
  domain: Domain,
  tables: Tables,
): Promise<string | undefined> {
  for (const { name } of domain.entities) {
    const reply = await client.post('/execute', JSON.stringify({ query: name }));
    if (reply.status !== 200) return `${name}: ${describeReply(reply)}`;
    const rows = (tables.get(name) ?? []).map((row): ExpectedRow => {
      const members = [...row].map(([each, value]) => [each, { kind: 'value', value }] as const);
      return { kind: 'row', members: new Map<string, Expected>(members) };
    });
    const fault = difference(
      { kind: 'rows', classes: [rows], from: 0, to: Infinity },
      parseAnswer(reply.text),
      name,
    );
    if (fault !== undefined) return fault;
  }
  return undefined;
}
