/** The names of a stage's sources, in the order in which all requests take them. */
import { type Catalog, EngineError } from '../engine/index.js';

/** Each once. Throws `unknown-stage`. */
export function stageSources(catalog: Pick<Catalog, 'stage'>, stage: string): readonly string[] {
  const found = catalog.stage(stage);
  if (!found) throw new EngineError('unknown-stage', `There is no stage '${stage}'.`);
  return [...new Set(found.sources.map(({ name }) => name))].sort();
}
