/** The current activity of the gateway. */
import { useEffect } from 'preact/hooks';
import { keyChanges } from '../gateway/key.js';
import { count, duration } from '../ui/format.js';
import { Icon } from '../ui/icons.js';
import { ProblemBox } from '../ui/problem-box.js';
import { Chart, type Series } from './chart.js';
import type { Measured } from './measure.js';
import { PlanTable } from './plan-table.js';
import { isPaused, liveFault, moments, plans, watchStats } from './watch-stats.js';

export function LiveView() {
  useEffect(watchStats, [keyChanges.value]);
  const isWatching = !isPaused.value;
  return (
    <div class="column live-view">
      <div class="live-bar">
        <span>The last two minutes, read every second.</span>
        <button
          type="button"
          class="button small"
          aria-pressed={!isWatching}
          onClick={() => (isPaused.value = isWatching)}
        >
          <Icon name={isWatching ? 'stop' : 'play'} filled /> {isWatching ? 'Pause' : 'Continue'}
        </button>
      </div>
      {liveFault.value && <ProblemBox problem={liveFault.value} />}
      <div class="charts">
        <Chart
          title="Throughput"
          series={[series('requests', perSecond), series('failures', perSecond)]}
        />
        <Chart title="Latency" series={[series('median', duration), series('p99', duration)]} />
        <Chart
          title="Batches"
          series={[
            series('batchSize', decimal, 'reads to a statement'),
            { ...series('batchedShare', percent, 'in batches'), top: 1 },
          ]}
        />
        <Chart
          title="Plan cache"
          series={[{ ...series('hitRate', percent, 'hits'), top: 1 }, series('plans', count)]}
        />
        <Chart
          title="Connections"
          series={[series('inUse', count, 'in use'), series('idle', count)]}
        />
        <Chart
          title="Queue"
          series={[series('unanswered', count), series('waiting', count, 'wait for a connection')]}
        />
      </div>
      {plans.value && <PlanTable plans={plans.value} />}
    </div>
  );
}

function series(
  name: keyof Measured,
  show: (value: number) => string,
  label: string = name,
): Series {
  return { label, show, values: moments.value.map((moment) => moment[name]) };
}

function perSecond(value: number): string {
  return `${value >= 100 ? count(Math.round(value)) : decimal(value)}/s`;
}

function decimal(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}

function percent(value: number): string {
  return `${Math.round(value * 100)} %`;
}
