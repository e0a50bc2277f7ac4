/** Random listeners that change nothing, so that requests are answered as without them, but in another way. */
import type { Random } from '../random.js';
import type { Domain } from './domain.js';

/** A listener, as in the schema file. */
export type Listener = Readonly<Record<string, unknown>>;

const ACTIONS = ['select', 'insert', 'update', 'delete'];

/**
 * With `withQueries`, some of them delete no rows. All entities must then be in one source, because the queries of a
 * listener use the source of the request.
 */
export function makeListeners(
  random: Random,
  { entities }: Domain,
  withQueries: boolean,
): readonly Listener[] {
  const one = () => random.pick(entities).name;
  const effect = (always: string): string =>
    withQueries && random.chance(0.4) ? `${one()}.filter(p=>1==2).delete()` : always;
  return Array.from({ length: 1 + random.below(2) }, (_, index) => ({
    name: `listener${index}`,
    on: random.some(ACTIONS, 1 + random.below(ACTIONS.length)),
    ...(random.chance(0.7) && {
      condition: random.pick([`entity != "${one()}"`, 'options.stage == "default"', 'query != ""']),
    }),
    ...(random.chance(0.6) && { before: effect('data == null || true') }),
    ...(random.chance(0.6) && { after: effect('true') }),
    ...(random.chance(0.3) && { error: effect('true') }),
  }));
}
