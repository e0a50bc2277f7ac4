/** How the last run went: its state, and where its time went. */
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

/** The parts that the gateway reports, and the rest: the network and the browser. */
function TimeSplit({
  timing,
  totalMs,
}: {
  readonly timing: readonly TimingPart[];
  readonly totalMs: number;
}) {
  const parts = partsOf(timing, totalMs);
  const sum = parts.reduce((total, { ms }) => total + ms, 0);
  return (
    <ul class="split" aria-label="Where the time went">
      {parts.map(({ name, description, ms }, index) => (
        <li
          key={name}
          title={description ?? name}
          style={{ flexGrow: ms / sum }}
          data-part={index % 5}
        >
          <span class="split-bar" />
          {name} <b>{duration(ms)}</b>
        </li>
      ))}
    </ul>
  );
}

function partsOf(timing: readonly TimingPart[], totalMs: number): readonly TimingPart[] {
  // A total among the parts would count everything twice.
  const own = timing.filter(({ name }) => name !== 'total');
  const known = own.reduce((sum, { ms }) => sum + ms, 0);
  const rest = { name: 'network', description: 'The network and the browser', ms: totalMs - known };
  return rest.ms > 0 ? [...own, rest] : own;
}
