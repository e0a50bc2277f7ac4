/** Which view a request runs under: the stage's, where the stage forces one; else the one it asks for. */
import { type Catalog, catalogUnderView, EngineError } from '../engine/index.js';
import type { KnownProblem } from './errors.js';

export type ChosenView = { readonly view: string } | { readonly problem: KnownProblem };

/** The view for a stage. Whether stage and view exist is left to who uses them. */
export function chooseView(catalog: Catalog, stage: string, asked: string | undefined): ChosenView {
  const forced = catalog.stage(stage)?.view;
  if (forced === undefined) return { view: asked ?? catalog.defaultView };
  if (asked === undefined || asked === forced) return { view: forced };
  const detail = `The stage '${stage}' is served under a view of its own, and no other.`;
  return { problem: { code: 'view-forbidden', detail } };
}

export type ShownCatalog = { readonly catalog: Catalog } | { readonly problem: KnownProblem };

/** What of the schema is told under the view that the query of a URL names (`view=…`). */
export function shownCatalog(catalog: Catalog, urlQuery: string): ShownCatalog {
  const asked = askedView(urlQuery);
  try {
    return { catalog: catalogUnderView(catalog, asked ?? catalog.defaultView) };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { message: detail, hint } = error;
    return { problem: { code: 'unknown-view', detail, ...(hint !== undefined && { hint }) } };
  }
}

/** The view that the query of a URL names. */
export function askedView(urlQuery: string): string | undefined {
  return urlQuery === '' ? undefined : (new URLSearchParams(urlQuery).get('view') ?? undefined);
}
