/** The targets of the mixes at 64 connections, as ratios of requests per second. */
import type { Dialect } from '../database.js';
import type { MixName } from './mixes.js';

export type Rival = 'fastify' | 'pgbench' | 'before';

/** The target of a ratio, and the accepted minimum. */
export interface Bounds {
  readonly target: number;
  readonly least: number;
}

export const TARGET_CONNECTIONS = 64;

/** At any other number of connections, Rowgate must not be slower than a hand-written server. */
const FLOOR_BESIDE_FASTIFY: Bounds = { target: 1, least: 1 };

/** The target for the latencies of `plans`: p99 divided by p50. */
export const PLANS_P99_AT_MOST = 4;

/** Target and minimum compared with Fastify, pgbench and the earlier commit. */
type Row = readonly [fastify?: Pair, pgbench?: Pair, before?: Pair];
type Pair = readonly [target: number, least: number] | undefined;

const POSTGRESQL: Readonly<Record<MixName, Row>> = {
  point: [
    [5, 4.3],
    [1.4, 1.1],
    [1.1, 0.97],
  ],
  listed: [[10, 8]],
  plans: [
    [4, 2.7],
    [1, 0.68],
    [4.5, 3],
  ],
  many: [],
  join: [
    [5, 3.6],
    [1.4, 1.1],
    [1.15, 0.97],
  ],
  list: [
    [3.2, 2.2],
    [0.8, 0.62],
    [1.3, 1.05],
  ],
  rows: [
    [3, 2.2],
    [0.6, 0.42],
    [9, 6],
  ],
  page: [],
  long: [],
  count: [],
  group: [
    [3.5, 2.4],
    [1.2, 1],
    [1.2, 1],
  ],
  parent: [
    [6, 4.5],
    [1.7, 1.4],
    [1.15, 0.97],
  ],
  include: [
    [3, 2.1],
    [0.9, 0.68],
    [1.5, 1.15],
  ],
  mixed: [[3, 2.2], undefined, [3, 2]],
  update: [
    [3.5, 2],
    [1.8, 1],
    [4.5, 2.6],
  ],
  insert: [
    [4.5, 2.5],
    [2, 1.15],
    [5, 2.8],
  ],
};

const MARIADB: Readonly<Partial<Record<MixName, Row>>> = {
  point: [[4, 3], undefined, [1, 1]],
  listed: [[8, 6]],
  plans: [[2.5, 2], undefined, [2, 2]],
  insert: [[2, 1.5], undefined, [1.5, 1.5]],
};

const COLUMNS: readonly Rival[] = ['fastify', 'pgbench', 'before'];

/** The bounds of a ratio; undefined if there are none. */
export function boundsOf(
  dialect: Dialect,
  mix: MixName,
  rival: Rival,
  connections: number,
): Bounds | undefined {
  if (connections !== TARGET_CONNECTIONS) {
    return rival === 'fastify' ? FLOOR_BESIDE_FASTIFY : undefined;
  }
  const row = dialect === 'PostgreSQL' ? POSTGRESQL[mix] : MARIADB[mix];
  const pair = row?.[COLUMNS.indexOf(rival)];
  if (pair !== undefined) return { target: pair[0], least: pair[1] };
  return rival === 'fastify' ? FLOOR_BESIDE_FASTIFY : undefined;
}
