/**
 * Counts the requests of each route by status and latency, and the errors by code. A hot path (bench,
 * "point"): a request only increments numbers, and the metrics are written when they are asked for.
 */

/** Statuses below this one are counted separately. */
const STATUS_MAX = 600;

export class RouteCounts {
  readonly method: string;
  /** The path in the route table: `/entities/{name}`; empty for requests without a route. */
  readonly path: string;
  readonly statuses = new Float64Array(STATUS_MAX);
  /** The number of requests in each bucket of latency; the last one has no upper bound. */
  readonly buckets: Float64Array;
  totalMs = 0;
  readonly #boundsMs: readonly number[];

  constructor(method: string, path: string, boundsMs: readonly number[]) {
    this.method = method;
    this.path = path;
    this.#boundsMs = boundsMs;
    this.buckets = new Float64Array(boundsMs.length + 1);
  }

  /** Counts an answered request. */
  count(status: number, durationMs: number): void {
    const bounds = this.#boundsMs;
    let bucket = 0;
    while (bucket < bounds.length && durationMs > (bounds[bucket] ?? 0)) bucket += 1;
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    this.totalMs += durationMs;
  }

  get answered(): number {
    return this.buckets.reduce((sum, each) => sum + each, 0);
  }
}

export class Traffic {
  /** The upper bounds of the buckets of latency, in milliseconds. */
  readonly boundsMs: readonly number[];
  readonly routes: RouteCounts[] = [];
  /** The counts of requests that no route matches. */
  readonly unrouted: RouteCounts;
  /** The number of failed requests by the code of their problem. */
  readonly errors = new Map<string, number>();

  constructor(boundsMs: readonly number[]) {
    this.boundsMs = boundsMs;
    this.unrouted = this.addRoute('', '');
  }

  addRoute(method: string, path: string): RouteCounts {
    const route = new RouteCounts(method, path, this.boundsMs);
    this.routes.push(route);
    return route;
  }

  failed(code: string): void {
    this.errors.set(code, (this.errors.get(code) ?? 0) + 1);
  }
}
