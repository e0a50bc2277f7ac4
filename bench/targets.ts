/**
 * The project's targets apart from those of the mixes: the largest accepted times and ratios of
 * times.
 */
import type { Figure, Participant } from './measure/figure.js';
import type { MicroResult } from './micro/result.js';

/** A target, and the value of this run. */
export interface Verdict {
  readonly what: string;
  readonly unit: '×' | 'µs';
  readonly measured: number;
  readonly target: number;
  /** The accepted maximum. */
  readonly least: number;
  readonly verdict: 'OK' | 'least' | 'MISSED';
}

/** The verdicts on all targets for which this run has the figures. */
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
  return [limit('one request at a time: p50 / pg', '×', ours / theirs, 1.6, 2)];
}

function judgeLarge(figures: readonly Figure[]): readonly Verdict[] {
  const p99Of = (name: Figure['case']) => figures.find((figure) => figure.case === name)?.p99Us;
  const mixed = p99Of('large');
  const short = p99Of('large-short');
  if (mixed === undefined || short === undefined) return [];
  return [limit('short reads among large ones: p99 / by themselves', '×', mixed / short, 4)];
}

function judgeCompile(micro: MicroResult | undefined): readonly Verdict[] {
  if (micro === undefined) return [];
  const { medianUs, p99Us } = micro.compile;
  return [limit('compile, median', 'µs', medianUs, 150), limit('compile, p99', 'µs', p99Us, 1000)];
}

function limit(
  what: string,
  unit: Verdict['unit'],
  measured: number,
  target: number,
  least = target,
): Verdict {
  const verdict = measured <= target ? 'OK' : measured <= least ? 'least' : 'MISSED';
  return { what, unit, measured, target, least, verdict };
}
