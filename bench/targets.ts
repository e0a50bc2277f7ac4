/** The project's targets: ratios of figures that were taken in one run. */
import type { Figure, Participant } from './measure/figure.js';
import type { MicroResult } from './micro/result.js';

/** A target and what this run makes of it. */
export interface Verdict {
  readonly what: string;
  readonly unit: '×' | 'µs';
  readonly measured: number;
  readonly bound: number;
  readonly isLimit: boolean;
  readonly isMet: boolean;
}

const ALONE_AT_MOST = 1.6;
const LARGE_AT_MOST = 4;
const COMPILE_MEDIAN_US = 150;
const COMPILE_P99_US = 1000;

/** The verdicts on all targets of which this run has both figures. */
export function judge(
  figures: readonly Figure[],
  micro: MicroResult | undefined,
): readonly Verdict[] {
  return [...judgeAlone(figures), ...judgeLarge(figures), ...judgeCompile(micro)];
}

function judgeAlone(figures: readonly Figure[]): readonly Verdict[] {
  const p50Of = (participant: Participant) =>
    figures.find((figure) => figure.case === 'alone' && figure.participant === participant)?.p50Us;
  const ours = p50Of('rowgate');
  const theirs = p50Of('pg');
  if (ours === undefined || theirs === undefined) return [];
  return [limit('one request at a time: p50 / pg', '×', ours / theirs, ALONE_AT_MOST)];
}

function judgeLarge(figures: readonly Figure[]): readonly Verdict[] {
  const p99Of = (name: Figure['case']) => figures.find((figure) => figure.case === name)?.p99Us;
  const mixed = p99Of('large');
  const short = p99Of('large-short');
  if (mixed === undefined || short === undefined) return [];
  return [
    limit('short reads among large ones: p99 / by themselves', '×', mixed / short, LARGE_AT_MOST),
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
