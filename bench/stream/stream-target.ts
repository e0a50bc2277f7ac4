/** What the streams must hold, and what a run makes of it. */

/** A measure of a stream beside its target and the least that is accepted. */
export interface StreamFigure {
  readonly what: string;
  readonly unit: '×' | 'ms' | 'MiB';
  readonly measured: number;
  readonly target: number;
  readonly least: number;
  /** What the measure was made of. */
  readonly details: string;
}

/** Whether less is better: of times and memory, but not of ratios of speed. */
export function isLimit({ unit }: Pick<StreamFigure, 'unit'>): boolean {
  return unit !== '×';
}

/** How a figure stands to its two bounds. */
export function judgeStream(figure: StreamFigure): 'OK' | 'least' | 'MISSED' {
  const { measured, target, least } = figure;
  const sign = isLimit(figure) ? -1 : 1;
  if (sign * measured >= sign * target) return 'OK';
  return sign * measured >= sign * least ? 'least' : 'MISSED';
}
