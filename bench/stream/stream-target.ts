/** The targets of the streaming cases, and the verdicts of a run. */

/** A measured value with its target and the accepted minimum. */
export interface StreamFigure {
  readonly what: string;
  readonly unit: '×' | 'ms' | 'MiB';
  readonly measured: number;
  readonly target: number;
  readonly least: number;
  /** The figures from which the value was computed. */
  readonly details: string;
}

/** Whether a smaller value is better, as for times and memory, but not for ratios of speed. */
export function isLimit({ unit }: Pick<StreamFigure, 'unit'>): boolean {
  return unit !== '×';
}

/** The verdict on a value. */
export function judgeStream(figure: StreamFigure): 'OK' | 'least' | 'MISSED' {
  const { measured, target, least } = figure;
  const sign = isLimit(figure) ? -1 : 1;
  if (sign * measured >= sign * target) return 'OK';
  return sign * measured >= sign * least ? 'least' : 'MISSED';
}
