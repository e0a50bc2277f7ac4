/** A small chart of one or two series over the latest readings. */
import { MOMENTS_MAX } from './watch-stats.js';

export interface Series {
  readonly label: string;
  readonly values: readonly (number | undefined)[];
  readonly show: (value: number) => string;
  /**
   * The value at the top of the chart; by default, the highest of all series without such a value.
   */
  readonly top?: number;
}

export interface ChartProps {
  readonly title: string;
  readonly series: readonly Series[];
}

const WIDTH = 300;
const HEIGHT = 84;

export function Chart({ title, series }: ChartProps) {
  const shared = series.filter(({ top }) => top === undefined).flatMap(({ values }) => values);
  const highest = Math.max(...shared.filter((value) => value !== undefined), 0);
  const summary = series.map((each) => `${each.label} ${lastOf(each)}`).join(', ');
  return (
    <section class="card chart" aria-label={title}>
      <h2>{title}</h2>
      <ul class="legend">
        {series.map((each, index) => (
          <li key={each.label} data-series={index}>
            <b>{lastOf(each)}</b> {each.label}
          </li>
        ))}
      </ul>
      <svg
        role="img"
        aria-label={`${title}: ${summary}`}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {series.map(({ label, values, top = highest }, index) => (
          <g key={label} data-series={index}>
            {index === 0 && <path class="area" d={areaOf(values, top)} />}
            <path class="curve" d={curveOf(values, top)} />
          </g>
        ))}
      </svg>
    </section>
  );
}

function lastOf({ values, show }: Series): string {
  const last = values.findLast((value) => value !== undefined);
  return last === undefined ? '–' : show(last);
}

type Values = Series['values'];

/** The curve, interrupted where there is no value. */
function curveOf(values: Values, highest: number): string {
  return values
    .map((value, index) => {
      if (value === undefined) return '';
      const isStart = values[index - 1] === undefined;
      return `${isStart ? 'M' : 'L'}${pointOf(index, value, values.length, highest)}`;
    })
    .join('');
}

function areaOf(values: Values, highest: number): string {
  const points = values.map((value, index) => pointOf(index, value ?? 0, values.length, highest));
  if (points.length < 2) return '';
  const left = pointOf(0, 0, values.length, highest);
  const right = pointOf(values.length - 1, 0, values.length, highest);
  return `M${left}L${points.join('L')}L${right}Z`;
}

/** The latest reading is at the right edge. */
function pointOf(index: number, value: number, length: number, highest: number): string {
  const x = WIDTH - ((length - 1 - index) * WIDTH) / (MOMENTS_MAX - 1);
  const y = HEIGHT - 2 - (highest === 0 ? 0 : (Math.min(value, highest) / highest) * (HEIGHT - 8));
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}
