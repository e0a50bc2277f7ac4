/** Prints the results as tables for a terminal. */
import type { Machine } from './machine.js';
import { type Figure, toFigures } from './measure/figure.js';
import type { Parts } from './measure/parts.js';
import type { MicroResult } from './micro/result.js';
import type { Memory } from './run-case.js';
import type { Found } from './run-cases.js';
import type { StartTimes } from './run-start.js';
import { ratioTable } from './mixes/ratio-table.js';
import type { ScenarioFigure } from './scenarios/scenario.js';
import { isLimit, judgeStream, type StreamFigure } from './stream/stream-target.js';
import { table } from './table.js';
import { judge, type Verdict } from './targets.js';

const MIB = 1024 * 1024;
/** A load per core before the run above which the figures are doubtful. */
const BUSY = 0.5;
const BUSY_WARNING = 'The machine was busy before the run: do not trust the ratios.';

/** All results of a run. */
export interface Report {
  readonly machine: Machine;
  readonly figures: readonly Figure[];
  readonly memory: readonly Memory[];
  readonly scenarios: readonly ScenarioFigure[];
  readonly start: StartTimes | undefined;
  readonly streams: readonly StreamFigure[];
  readonly micro: MicroResult | undefined;
  readonly verdicts: readonly Verdict[];
  /** The cases that could not be measured, and why. */
  readonly missing: readonly string[];
}

/** Combines the results of the cases. */
export function toReport(
  machine: Machine,
  found: readonly Found[],
  missing: readonly string[],
): Report {
  const figures = toFigures(found.flatMap(({ samples = [] }) => samples));
  const micro = found.find((each) => each.micro)?.micro;
  return {
    machine,
    figures,
    memory: found.flatMap(({ memory }) => memory ?? []),
    scenarios: found.flatMap(({ scenarios = [] }) => scenarios),
    start: found.find(({ start }) => start)?.start,
    streams: found.flatMap(({ streams = [] }) => streams),
    micro,
    verdicts: judge(figures, micro),
    missing: [...missing, ...found.flatMap((each) => each.missing ?? [])],
  };
}

export function formatReport(report: Report): string {
  const { machine, figures, memory, scenarios, start, streams, micro, verdicts, missing } = report;
  return [
    Object.entries(machine)
      .map(([name, value]) => `${name} ${shown(value)}`)
      .join(' · '),
    machine.loadBefore > machine.cores * BUSY ? BUSY_WARNING : '',
    ...(figures.length > 0 ? [figureTable(figures)] : []),
    ...(memory.length > 0 ? [memoryTable(memory)] : []),
    ...(scenarios.length > 0 ? [scenarioTable(scenarios)] : []),
    ...(start ? [startTable(start)] : []),
    ...(streams.length > 0 ? [streamTable(streams)] : []),
    ...(micro ? microTables(micro) : []),
    ...(verdicts.length > 0 ? [verdictTable(verdicts)] : []),
    ratioTable(figures) ?? '',
    ...missing.map((line) => `Not measured: ${line}`),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function figureTable(figures: readonly Figure[]): string {
  const head = [
    ...['database', 'case', 'who', 'conns', 'requests/s', 'p50 µs', 'p99 µs'],
    ...['front µs', 'workers µs', 'helpers µs', 'database µs', 'load µs'],
  ];
  const parts: readonly (keyof Parts)[] = ['front', 'workers', 'helpers', 'database', 'load'];
  const lines = figures.map((figure) => [
    figure.dialect,
    figure.case,
    figure.participant,
    String(figure.connections),
    whole(figure.requestsPerSecond),
    optional(figure.p50Us),
    optional(figure.p99Us),
    ...parts.map((part) => figure.processorUs[part].toFixed(1)),
  ]);
  return table('Medians of the rounds; processor time in µs a request, by part', head, lines);
}

function memoryTable(memory: readonly Memory[]): string {
  const lines = memory.map((each) => [
    each.case,
    mebibytes(each.idleBytes),
    mebibytes(each.loadedBytes),
  ]);
  return table('Resident memory of Rowgate', ['case', 'idle MiB', 'after load MiB'], lines);
}

function scenarioTable(scenarios: readonly ScenarioFigure[]): string {
  const head = ['database', 'who', 'what', 'requests/s', 'p50 µs', 'p99 µs', '503s', 'failed', ''];
  const lines = scenarios.map((each) => [
    ...[each.dialect, each.participant, each.what, whole(each.requestsPerSecond)],
    ...[optional(each.p50Us), optional(each.p99Us)],
    ...[whole(each.unavailable), whole(each.failed)],
    each.isMet === undefined ? '' : each.isMet ? 'OK' : 'MISSED',
  ]);
  return table('Reads beside expensive ones, and among locks', head, lines);
}

function startTable({ coldMs, warmMs, onDatabaseMs }: StartTimes): string {
  const lines = [
    ['embedded database, new', whole(coldMs)],
    ['embedded database, there already', whole(warmMs)],
    ['a database that runs', whole(onDatabaseMs)],
  ];
  return table('From start to ready', ['with', 'ms'], lines);
}

function streamTable(streams: readonly StreamFigure[]): string {
  const lines = streams.map((each) => {
    const { what, unit, measured, target, least, details } = each;
    const sign = isLimit(each) ? '≤' : '≥';
    return [
      what,
      `${measured.toFixed(unit === '×' ? 2 : 0)} ${unit}`,
      `${sign} ${target} ${unit}`,
      `${sign} ${least} ${unit}`,
      judgeStream(each),
      details,
    ];
  });
  return table(
    'Streams and imports',
    ['what', 'measured', 'target', 'least', '', 'details'],
    lines,
  );
}

function microTables({ compile, planCache, rows }: MicroResult): readonly string[] {
  const slowest = compile.slowest.map(({ expression, medianUs }) => [
    expression,
    medianUs.toFixed(0),
  ]);
  return [
    table(
      `Compiling ${compile.expressions} expressions`,
      ['expression', 'µs'],
      [
        ['(median of all)', compile.medianUs.toFixed(0)],
        ['(p99 of all)', compile.p99Us.toFixed(0)],
        ...slowest,
      ],
    ),
    table(
      'Plan cache',
      ['what', 'amount'],
      [
        ['heap bytes a plan', whole(planCache.heapBytesPerPlan)],
        ['counted bytes a plan', whole(planCache.countedBytesPerPlan)],
        ['plans kept of 100,000 in 64 MiB', whole(planCache.kept)],
        ['RSS in MiB, before and on the way', planCache.residentBytes.map(mebibytes).join(' ')],
      ],
    ),
    table(
      '100,000 rows of 12 columns to JSON',
      ['way', 'rows/s', 'processor ms'],
      rows.map((each) => [each.way, whole(each.rowsPerSecond), whole(each.processorMs)]),
    ),
  ];
}

function verdictTable(verdicts: readonly Verdict[]): string {
  const lines = verdicts.map(({ what, unit, measured, target, least, verdict }) => [
    what,
    `${measured.toFixed(2)} ${unit}`,
    `≤ ${target} ${unit}`,
    `≤ ${least} ${unit}`,
    verdict,
  ]);
  return table('Limits', ['what', 'measured', 'target', 'least', ''], lines);
}

function shown(value: string | number): string {
  return typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(1) : String(value);
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function optional(value: number | undefined): string {
  return value === undefined ? '–' : whole(value);
}

function mebibytes(bytes: number | undefined): string {
  return bytes === undefined ? '–' : (bytes / MIB).toFixed(0);
}
