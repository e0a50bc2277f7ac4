/** The project's targets: ratios of figures that were taken in one run. */
import type { Figure, Participant } from './measure/figure.js';
import { median } from './measure/statistics.js';
import type { MicroResult } from './micro/result.js';
import type { CaseName } from './options.js';

/** A target and what this run makes of it. */
export interface Verdict {
  readonly what: string;
  readonly unit: '×' | 'µs';
  readonly measured: number;
  readonly bound: number;
  readonly isLimit: boolean;
  readonly isMet: boolean;
}

/** Rowgate's requests a second must be at least so many times those of another. */
interface RateTarget {
  readonly case: CaseName;
  readonly connections: number;
  readonly other: Participant;
  readonly atLeast: number;
}

const RATE_TARGETS: readonly RateTarget[] = [
  { case: 'point', connections: 64, other: 'pgbench', atLeast: 1.5 },
  { case: 'point', connections: 64, other: 'uws-constant', atLeast: 0.6 },
  { case: 'point', connections: 64, other: 'fastify-pg', atLeast: 7 },
  { case: 'point', connections: 256, other: 'pgbench', atLeast: 1.7 },
  { case: 'point', connections: 256, other: 'uws-constant', atLeast: 0.75 },
  { case: 'point', connections: 256, other: 'fastify-pg', atLeast: 7 },
  { case: 'include', connections: 64, other: 'fastify-pg', atLeast: 5 },
  { case: 'include', connections: 256, other: 'fastify-pg', atLeast: 5 },
  { case: 'mariadb-point', connections: 64, other: 'fastify-mariadb', atLeast: 2.5 },
  { case: 'mariadb-point', connections: 64, other: 'sysbench', atLeast: 1 },
  { case: 'mariadb-point', connections: 256, other: 'fastify-mariadb', atLeast: 2.5 },
  { case: 'mariadb-point', connections: 256, other: 'sysbench', atLeast: 1 },
  { case: 'insert', connections: 64, other: 'fastify-pg', atLeast: 1 },
];

const ownConnections: ReadonlySet<Participant> = new Set<Participant>(['pgbench', 'sysbench']);

const ALONE_AT_MOST = 1.6;
const MIX_AT_MOST = 4;
const COMPILE_MEDIAN_US = 150;
const COMPILE_P99_US = 1000;

/** The verdicts on all targets of which this run has both figures. */
export function judge(
  figures: readonly Figure[],
  micro: MicroResult | undefined,
): readonly Verdict[] {
  return [
    ...RATE_TARGETS.flatMap((target) => judgeRate(figures, target)),
    ...judgeAlone(figures),
    ...judgeMix(figures),
    ...judgeCompile(micro),
  ];
}

function judgeRate(figures: readonly Figure[], target: RateTarget): readonly Verdict[] {
  const { case: name, connections, other, atLeast } = target;
  const ours = figures.find(
    (figure) =>
      figure.case === name &&
      figure.participant === 'rowgate' &&
      figure.connections === connections,
  );
  // Clients without HTTP have connections of their own, and one figure for all.
  const theirs = figures.find(
    (figure) =>
      figure.case === name &&
      figure.participant === other &&
      (ownConnections.has(other) || figure.connections === connections),
  );
  if (ours === undefined || theirs === undefined) return [];
  const measured = medianRatio(ours, theirs);
  const what = `${name}, ${connections} connections: rate / ${other}`;
  return [
    { what, unit: '×', measured, bound: atLeast, isLimit: false, isMet: measured >= atLeast },
  ];
}

/** The median of the ratios of each round: the machine is not as fast in one as in the next. */
function medianRatio(ours: Figure, theirs: Figure): number {
  return median(ours.rates.map((rate, round) => rate / (theirs.rates[round] ?? Number.NaN)));
}

function judgeAlone(figures: readonly Figure[]): readonly Verdict[] {
  const p50Of = (participant: Participant) =>
    figures.find((figure) => figure.case === 'alone' && figure.participant === participant)?.p50Us;
  const ours = p50Of('rowgate');
  const theirs = p50Of('pg');
  if (ours === undefined || theirs === undefined) return [];
  return [limit('one request at a time: p50 / pg', '×', ours / theirs, ALONE_AT_MOST)];
}

function judgeMix(figures: readonly Figure[]): readonly Verdict[] {
  const p99Of = (name: Figure['case']) => figures.find((figure) => figure.case === name)?.p99Us;
  const mixed = p99Of('mix');
  const short = p99Of('mix-short');
  if (mixed === undefined || short === undefined) return [];
  return [
    limit('short reads among large ones: p99 / by themselves', '×', mixed / short, MIX_AT_MOST),
  ];
}

function judgeCompile(micro: MicroResult | undefined): readonly Verdict[] {
  if (micro === undefined) return [];
  const { medianUs, p99Us } = micro.compile;
  return [
    limit('compile, median', 'µs', medianUs, COMPILE_MEDIAN_US),
    limit('compile, p99', 'µs', p99Us, COMPILE_P99_US),
  ];
}

function limit(what: string, unit: Verdict['unit'], measured: number, bound: number): Verdict {
  return { what, unit, measured, bound, isLimit: true, isMet: measured <= bound };
}
