/** Chooses the stage and the view that a request names, if its sender and the stage allow them. */
import { type Catalog, catalogUnderView, EngineError } from '../engine/index.js';
import { type Principal, requireStage } from './access/principal.js';
import { Refusal } from './errors.js';

/** The schema and the sender; without a sender, everything is allowed. */
export interface Scope {
  readonly catalog: Catalog;
  readonly principal?: Principal | undefined;
}

/** The stage of a request that names none. */
function defaultStage({ catalog, principal }: Scope): string {
  const { defaultStage: usual } = catalog;
  const allowed = principal?.stages;
  return allowed && !allowed.includes(usual) ? (allowed[0] ?? usual) : usual;
}

/**
 * The stage that a request names, or the one for requests that name none. Some clients always send `default`, even if no stage
 * has that name.
 */
export function chooseStage(scope: Scope, asked: string | undefined): string {
  return namedOf(asked, scope.catalog.stage) ?? defaultStage(scope);
}

/** The name; undefined for `default` if there is none of that name, as if the request named none. */
function namedOf(asked: string | undefined, find: (name: string) => unknown): string | undefined {
  return asked === 'default' && !find(asked) ? undefined : asked;
}

/** The view for a stage. Whether the stage and the view exist is checked later. Throws a `Refusal`. */
export function chooseView(scope: Scope, stage: string, named: string | undefined): string {
  const { catalog, principal } = scope;
  const asked = namedOf(named, catalog.view);
  if (principal) requireStage(principal, stage);
  const ofStage = catalog.stage(stage)?.view;
  const forced = ofStage ?? principal?.view;
  if (principal?.view !== undefined && principal.view !== forced) {
    const detail = `The stage '${stage}' is served only under a view that the key or token does not include.`;
    throw new Refusal('view-forbidden', detail);
  }
  if (forced === undefined) return asked ?? catalog.defaultView;
  if (asked === undefined || asked === forced) return forced;
  const who = ofStage === undefined ? 'This key or token' : `The stage '${stage}'`;
  throw new Refusal('view-forbidden', `${who} has a view of its own: leave the view out.`);
}

/** The catalog under the view that the URL names (`view=…`), or that of the sender. */
export function visibleCatalog(scope: Scope, urlQuery: string): Catalog {
  const { catalog } = scope;
  const asked = namedOf(askedView(urlQuery), catalog.view);
  const [usual, ...others] = ownViews(scope) ?? [asked ?? catalog.defaultView];
  const view = asked ?? usual;
  if (view === undefined || (view !== usual && !others.includes(view))) {
    const detail = 'This key or token has a view of its own: leave the view out.';
    throw new Refusal('view-forbidden', detail);
  }
  return catalogUnder(catalog, view);
}

/** The catalog under this view. Throws a `Refusal` for an unknown view. */
export function catalogUnder(catalog: Catalog, view: string): Catalog {
  try {
    return catalogUnderView(catalog, view);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { message, hint } = error;
    throw new Refusal('unknown-view', message, hint === undefined ? {} : { hint });
  }
}

/** Undefined if the sender's views are not limited. That of its default stage is the first one. */
function ownViews(scope: Scope): readonly string[] | undefined {
  const { catalog, principal } = scope;
  if (!principal) return undefined;
  if (principal.view !== undefined) return [principal.view];
  const allowed = principal.stages ?? catalog.schema.stages.map(({ name }) => name);
  const stages = [defaultStage(scope), ...allowed].flatMap((name) => catalog.stage(name) ?? []);
  const views = stages.flatMap(({ view }) => view ?? []);
  return views.length === stages.length ? views : undefined;
}

export function askedView(urlQuery: string): string | undefined {
  return urlQuery === '' ? undefined : (new URLSearchParams(urlQuery).get('view') ?? undefined);
}
