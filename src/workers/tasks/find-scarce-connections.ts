/** Compares the connections that the workers may open with those that the servers of the sources allow. */
import type { Schema } from '../../engine/index.js';
import { withTables } from '../database/drivers.js';

/** A source whose server allows fewer connections. */
export interface ScarceConnections {
  readonly source: string;
  readonly connections: number;
  readonly allowed: number;
}

/** A source that cannot be reached is left out. Stops when the signal aborts. */
export async function findScarceConnections(
  { sources }: Schema,
  connections: number,
  signal?: AbortSignal,
): Promise<readonly ScarceConnections[]> {
  const asked = sources.map(async (source): Promise<readonly ScarceConnections[]> => {
    const allowed = await withTables(source, (each) => each.connectionsMax(), signal);
    return allowed < connections ? [{ source: source.name, connections, allowed }] : [];
  });
  const answers = await Promise.allSettled(asked);
  return answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
}
