/** The names of a stage's sources, in an order that is the same for all requests. */
import { type Catalog, requireStage } from '../engine/index.js';

/** Without duplicates. Throws `unknown-stage`. */
export function stageSources(
  catalog: Pick<Catalog, 'schema' | 'stage'>,
  stage: string,
): readonly string[] {
  const { sources } = requireStage(catalog, stage);
  return [...new Set(sources.map(({ name }) => name))].sort();
}
