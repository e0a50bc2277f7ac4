/** The plans that take the most time. */
import { openQuery } from '../query/state.js';
import { shownView } from '../shown-view.js';
import { count, duration } from '../ui/format.js';
import type { PlanStats } from './stats.js';

export function PlanTable({ plans }: { readonly plans: readonly PlanStats[] }) {
  return (
    <section class="card plan-table" aria-label="Plans that take the most time">
      <h2>Plans that take the most time</h2>
      {plans.length === 0 && <p class="empty">No query has been executed yet.</p>}
      <div class="plan-table-scroller" tabIndex={0} role="region" aria-label="Plans">
        <table>
          <thead>
            <tr>
              {['Expression', 'Calls', 'Rows', 'Mean', 'p99', 'Batch size'].map((name) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {plans.map((plan) => (
              <PlanLine key={`${plan.expression} ${plan.stage} ${plan.view}`} plan={plan} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function PlanLine({ plan }: { readonly plan: PlanStats }) {
  const { expression, stage, view, calls, rows, meanMs, p99Ms, batchSize } = plan;
  const open = () => {
    openQuery({ query: expression, stage: chosen(stage), view: chosen(view) });
    shownView.value = 'query';
  };
  return (
    <tr>
      <th scope="row">
        <button type="button" class="link" onClick={open} title={expression}>
          <code>{expression}</code>
        </button>
      </th>
      <td>{count(calls)}</td>
      <td>{count(rows)}</td>
      <td>{duration(meanMs)}</td>
      <td>{duration(p99Ms)}</td>
      <td>{batchSize.toFixed(1)}</td>
    </tr>
  );
}

/** An empty text stands for the default stage or view. */
function chosen(name: string): string {
  return name === 'default' ? '' : name;
}
