/** Chooses the view of a request: the one that the stage forces, or the one that the request names. */
import { type Catalog, catalogUnderView, EngineError } from '../engine/index.js';
import { Refusal } from './errors.js';

/** The view for a stage. Whether the stage and the view exist is checked later. */
export function chooseView(catalog: Catalog, stage: string, asked: string | undefined): string {
  const forced = catalog.stage(stage)?.view;
  if (forced === undefined) return asked ?? catalog.defaultView;
  if (asked === undefined || asked === forced) return forced;
  const detail = `The stage '${stage}' can be used only with its own view: do not name a view.`;
  throw new Refusal('view-forbidden', detail);
}

/** The catalog under the view that the URL names (`view=…`). */
export function visibleCatalog(catalog: Catalog, urlQuery: string): Catalog {
  try {
    return catalogUnderView(catalog, askedView(urlQuery) ?? catalog.defaultView);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { message, hint } = error;
    throw new Refusal('unknown-view', message, hint === undefined ? {} : { hint });
  }
}

/** The view that the URL names. */
export function askedView(urlQuery: string): string | undefined {
  return urlQuery === '' ? undefined : (new URLSearchParams(urlQuery).get('view') ?? undefined);
}
