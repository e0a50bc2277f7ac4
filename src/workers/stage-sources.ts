/** The names of a stage's sources, in an order that is the same for all requests. */
import { type Catalog, EngineError } from '../engine/index.js';

/** Without duplicates. Throws `unknown-stage`. */
export function stageSources(catalog: Pick<Catalog, 'stage'>, stage: string): readonly string[] {
  const found = catalog.stage(stage);
  if (!found) throw new EngineError('unknown-stage', `There is no stage '${stage}'.`);
  return [...new Set(found.sources.map(({ name }) => name))].sort();
}
