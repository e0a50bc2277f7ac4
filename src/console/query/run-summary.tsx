/** The result of the last run: its status, and where its time was spent. */
import type { TimingPart } from '../gateway/server-timing.js';
import { duration } from '../ui/format.js';
import { type Run, run } from './run.js';

const states = {
  running: 'Running…',
  done: 'Done',
  failed: 'Failed',
  stopped: 'Stopped',
} satisfies Record<Run['state'], string>;

export function RunSummary() {
  const last = run.value;
  if (last === undefined) return null;
  const { state, totalMs, timing } = last;
  return (
    <div class="summary" data-state={state}>
      <span role="status">
        {states[state]}
        {totalMs !== undefined && state !== 'running' && ` in ${duration(totalMs)}`}
      </span>
      {timing.length > 0 && totalMs !== undefined && (
        <TimeSplit timing={timing} totalMs={totalMs} />
      )}
    </div>
  );
}

/** The parts that the gateway reports. */
const meanings: Readonly<Record<string, string>> = {
  parse: 'Reading the request',
  plan: 'Finding or compiling the plan',
  queue: 'Waiting in the worker',
  db: 'The database',
};

/** The parts that the gateway reports, and the remaining time: the network and the browser. */
function TimeSplit({
  timing,
  totalMs,
}: {
  readonly timing: readonly TimingPart[];
  readonly totalMs: number;
}) {
  const parts = partsOf(timing, totalMs);
  return (
    <div class="split">
      <div class="split-bar" aria-hidden="true">
        {parts.map(({ name, ms }, index) => (
          <span key={name} style={{ flexGrow: ms }} data-part={index % 6} />
        ))}
      </div>
      <ul aria-label="Where the time went">
        {parts.map(({ name, description, ms }, index) => (
          <li key={name} title={description ?? meanings[name] ?? name} data-part={index % 6}>
            {name} <b>{duration(ms)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Adds the time in the gateway that no part explains, and the time outside of the gateway. */
function partsOf(timing: readonly TimingPart[], totalMs: number): readonly TimingPart[] {
  const parts = timing.filter(({ name }) => name !== 'total');
  const known = parts.reduce((sum, { ms }) => sum + ms, 0);
  const answered = timing.find(({ name }) => name === 'total')?.ms ?? known;
  const others = [
    { name: 'rest', description: 'Other time in the gateway', ms: answered - known },
    { name: 'network', description: 'Network and browser', ms: totalMs - answered },
  ];
  return [...parts, ...others].filter(({ ms }) => ms > SHORTEST_MS);
}

/** Shorter parts are not shown. */
const SHORTEST_MS = 0.005;
