/** Which view a request runs under: the stage's, where the stage forces one; else the one it asks for. */
import { type Catalog, catalogUnderView, EngineError } from '../engine/index.js';
import { Refusal } from './errors.js';

/** The view for a stage. Whether stage and view exist is left to who uses them. */
export function chooseView(catalog: Catalog, stage: string, asked: string | undefined): string {
  const forced = catalog.stage(stage)?.view;
  if (forced === undefined) return asked ?? catalog.defaultView;
  if (asked === undefined || asked === forced) return forced;
  const detail = `The stage '${stage}' is served under a view of its own, and no other.`;
  throw new Refusal('view-forbidden', detail);
}

/** What of the schema is told under the view that the query of a URL names (`view=…`). */
export function visibleCatalog(catalog: Catalog, urlQuery: string): Catalog {
  try {
    return catalogUnderView(catalog, askedView(urlQuery) ?? catalog.defaultView);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { message, hint } = error;
    throw new Refusal('unknown-view', message, hint === undefined ? {} : { hint });
  }
}

/** The view that the query of a URL names. */
export function askedView(urlQuery: string): string | undefined {
  return urlQuery === '' ? undefined : (new URLSearchParams(urlQuery).get('view') ?? undefined);
}
