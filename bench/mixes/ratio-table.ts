/** Shows the mixes, and a start with one of them, in one table: the rates of Rowgate, and their ratios to those of the others. */
import type { Figure, MeasuredCase, Participant } from '../measure/figure.js';
import { median } from '../measure/statistics.js';
import { table } from '../table.js';
import { isMix } from './mixes.js';
import { boundsOf, PLANS_P99_AT_MOST, type Rival, TARGET_CONNECTIONS } from './targets.js';

const HEAD = [
  ...['database', 'mix', 'conns', 'requests/s', 'p50 µs', 'p99 µs', 'gateway µs', 'database µs'],
  ...['× Fastify', '× pgbench', '× before'],
];

const RIVALS: readonly Rival[] = ['fastify', 'pgbench', 'before'];

const isListed = (name: MeasuredCase): boolean => isMix(name) || name === 'cold';

/** Undefined if no mix was measured. */
export function ratioTable(figures: readonly Figure[]): string | undefined {
  const ours = figures.filter((each) => each.participant === 'rowgate' && isListed(each.case));
  if (ours.length === 0) return undefined;
  const title = 'Medians of the rounds. Ratios of rates (target/least): OK, least or MISSED';
  return table(
    title,
    HEAD,
    ours.map((figure) => lineOf(figure, figures)),
  );
}

function lineOf(figure: Figure, figures: readonly Figure[]): readonly string[] {
  const { dialect, case: name, connections, requestsPerSecond, p50Us, p99Us } = figure;
  const { front, workers, helpers, database } = figure.processorUs;
  return [
    ...[dialect, name, String(connections), whole(requestsPerSecond)],
    ...[whole(p50Us), whole(p99Us) + judgeP99(figure)],
    ...[(front + workers + helpers).toFixed(1), database.toFixed(1)],
    ...RIVALS.map((rival) => ratioOf(figure, rival, figures)),
  ];
}

function ratioOf(ours: Figure, rival: Rival, figures: readonly Figure[]): string {
  const { dialect, case: name, connections } = ours;
  const theirs = figures.find(
    (figure) =>
      figure.dialect === dialect &&
      figure.case === name &&
      isRival(figure.participant, rival) &&
      // pgbench has its own connections, and one figure for all numbers of connections.
      (rival === 'pgbench' || figure.connections === connections),
  );
  if (theirs === undefined || !isListed(name)) return '–';
  const ratio = medianRatio(ours, theirs);
  const bounds = isMix(name) ? boundsOf(dialect, name, rival, connections) : undefined;
  if (bounds === undefined) return ratio.toFixed(2);
  const { target, least } = bounds;
  const verdict = ratio >= target ? 'OK' : ratio >= least ? 'least' : 'MISSED';
  return `${ratio.toFixed(2)} (${target}/${least}) ${verdict}`;
}

function isRival(participant: Participant, rival: Rival): boolean {
  return participant === rival || (rival === 'fastify' && participant.startsWith('fastify-'));
}

/**
 * The median of the ratios of each round, because the speed of the machine varies between rounds.
 */
function medianRatio(ours: Figure, theirs: Figure): number {
  return median(ours.rates.map((rate, round) => rate / (theirs.rates[round] ?? Number.NaN)));
}

function judgeP99({ case: name, connections, p50Us = 0, p99Us = 0 }: Figure): string {
  if (name !== 'plans' || connections !== TARGET_CONNECTIONS) return '';
  const verdict = p99Us <= PLANS_P99_AT_MOST * p50Us ? 'OK' : 'MISSED';
  return ` (${PLANS_P99_AT_MOST} × p50) ${verdict}`;
}

function whole(value: number | undefined): string {
  return value === undefined ? '–' : Math.round(value).toLocaleString('en');
}
