/** A figure of the bench: one participant in one case at one number of connections. */
import type { ContestantName } from '../cases/case.js';
import type { Dialect } from '../database.js';
import type { CaseName } from '../options.js';
import type { LoadResult } from '../load/load.js';
import type { Parts } from './parts.js';
import { median, medianOfKnown } from './statistics.js';

/** The participants: the servers, and clients of the database without HTTP. */
export type Participant = ContestantName | 'pgbench' | 'sysbench' | 'pg';

/** `large-short` is `large` without its large reads. */
export type MeasuredCase = CaseName | 'large-short';

/** One measurement. */
export interface Sample {
  readonly case: MeasuredCase;
  readonly dialect: Dialect;
  readonly participant: Participant;
  readonly connections: number;
  readonly load: LoadResult;
  readonly parts: Parts;
}

/** The medians of all rounds. */
export interface Figure {
  readonly case: MeasuredCase;
  readonly dialect: Dialect;
  readonly participant: Participant;
  readonly connections: number;
  /** Requests per second, round by round. */
  readonly rates: readonly number[];
  readonly requestsPerSecond: number;
  readonly p50Us: number | undefined;
  readonly p99Us: number | undefined;
  readonly processorUs: Parts;
}

/** One figure for all samples of the same participant, case and number of connections. */
export function toFigures(samples: readonly Sample[]): readonly Figure[] {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const key = [sample.dialect, sample.case, sample.participant, sample.connections].join(' ');
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  return [...groups.values()].flatMap(toFigure);
}

function toFigure(samples: readonly Sample[]): readonly Figure[] {
  const [first] = samples;
  if (first === undefined) return [];
  const middle = (pick: (sample: Sample) => number) => median(samples.map(pick));
  return [
    {
      case: first.case,
      dialect: first.dialect,
      participant: first.participant,
      connections: first.connections,
      rates: samples.map(({ load }) => load.requestsPerSecond),
      requestsPerSecond: middle(({ load }) => load.requestsPerSecond),
      p50Us: medianOfKnown(samples.map(({ load }) => load.p50Us)),
      p99Us: medianOfKnown(samples.map(({ load }) => load.p99Us)),
      processorUs: {
        front: middle(({ parts }) => parts.front),
        workers: middle(({ parts }) => parts.workers),
        helpers: middle(({ parts }) => parts.helpers),
        database: middle(({ parts }) => parts.database),
        load: middle(({ parts }) => parts.load),
      },
    },
  ];
}
