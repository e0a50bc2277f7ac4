/**
 * Finds the handler of a path. A segment in braces matches any one segment, percent-decoded. A
 * trailing slash is ignored. A GET route also answers HEAD.
 */

/** The result of a look-up. */
export type RouteMatch<Handler> =
  | { readonly kind: 'found'; readonly handler: Handler; readonly parameters: readonly string[] }
  | { readonly kind: 'methodNotAllowed'; readonly allow: string }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'malformed' };

export type Route<Handler> = readonly [
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  handler: Handler,
];

interface Resource<Handler> {
  /** A literal segment, or undefined for a parameter. */
  readonly segments: readonly (string | undefined)[];
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly allow: string;
}

const NO_PARAMETERS: readonly string[] = [];

/** Makes the look-up function for a table of routes. */
export function createRouter<Handler>(routes: readonly Route<Handler>[]) {
  const resources = collectResources(routes);
  const fixed = new Map<string, Resource<Handler>>();
  for (const [path, resource] of resources) if (!path.includes('{')) fixed.set(path, resource);
  const all = [...resources.values()];
  return (method: string, path: string): RouteMatch<Handler> => {
    const resource = fixed.get(path);
    if (resource !== undefined) return matchMethod(resource, method, NO_PARAMETERS);
    return matchSegments(all, method, path);
  };
}

function collectResources<Handler>(routes: readonly Route<Handler>[]) {
  const handlers = new Map<string, Map<string, Handler>>();
  for (const [method, path, handler] of routes) {
    const byMethod = handlers.get(path) ?? new Map<string, Handler>();
    byMethod.set(method, handler);
    if (method === 'GET') byMethod.set('HEAD', handler);
    handlers.set(path, byMethod);
  }
  const resources = new Map<string, Resource<Handler>>();
  for (const [path, byMethod] of handlers) {
    const allow = [...byMethod.keys(), 'OPTIONS'].join(', ');
    resources.set(path, { segments: templateOf(path), handlers: byMethod, allow });
  }
  return resources;
}

function templateOf(path: string): (string | undefined)[] {
  return path
    .slice(1)
    .split('/')
    .map((segment) => (segment.startsWith('{') ? undefined : segment));
}

function matchSegments<Handler>(
  resources: readonly Resource<Handler>[],
  method: string,
  path: string,
): RouteMatch<Handler> {
  const segments = decodeSegments(path);
  if (segments === undefined) return { kind: 'malformed' };
  for (const resource of resources) {
    const parameters = matchTemplate(resource.segments, segments);
    if (parameters !== undefined) return matchMethod(resource, method, parameters);
  }
  return { kind: 'notFound' };
}

/** The decoded segments; undefined if an escape is malformed. */
function decodeSegments(path: string): string[] | undefined {
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length;
  try {
    return path.slice(1, end).split('/').map(decodeURIComponent);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function matchTemplate(
  template: readonly (string | undefined)[],
  segments: readonly string[],
): string[] | undefined {
  if (template.length !== segments.length) return undefined;
  const parameters: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const literal = template[index];
    if (literal === undefined && segment !== '') parameters.push(segment);
    else if (literal !== segment) return undefined;
  }
  return parameters;
}

function matchMethod<Handler>(
  resource: Resource<Handler>,
  method: string,
  parameters: readonly string[],
): RouteMatch<Handler> {
  const handler = resource.handlers.get(method);
  if (handler === undefined) return { kind: 'methodNotAllowed', allow: resource.allow };
  return { kind: 'found', handler, parameters };
}
