/** The answers of the gateway: rows, plan and model, in tabs that work with the keyboard and screen readers. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { ModelTab } from '../model/model-tab.js';
import { PlanTab } from '../plan/plan-tab.js';
import { RowsTab } from '../rows/rows-tab.js';
import { count } from '../ui/format.js';
import { run } from './run.js';
import { RunSummary } from './run-summary.js';

const tabs = [
  { name: 'rows', label: 'Rows', Panel: RowsTab },
  { name: 'plan', label: 'Plan', Panel: PlanTab },
  { name: 'model', label: 'Model', Panel: ModelTab },
] as const;

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

export function Results() {
  const chosen = useSignal(0);
  const list = useRef<HTMLDivElement>(null);
  const rowCount = run.value?.rows.length ?? 0;
  const { name: chosenName, Panel } = tabs[chosen.value] ?? tabs[0];
  const move = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    chosen.value = (chosen.value + step + tabs.length) % tabs.length;
    list.current?.querySelectorAll('button')[chosen.value]?.focus();
  };
  return (
    <section class="column card results">
      <div class="tab-bar">
        <div role="tablist" aria-label="Answer" ref={list} onKeyDown={move}>
          {tabs.map(({ name, label }, index) => (
            <button
              type="button"
              role="tab"
              id={`tab-${name}`}
              key={name}
              aria-selected={index === chosen.value}
              aria-controls="tab-panel"
              tabIndex={index === chosen.value ? 0 : -1}
              onClick={() => (chosen.value = index)}
            >
              {label}
              {name === 'rows' && rowCount > 0 && <span class="badge">{count(rowCount)}</span>}
            </button>
          ))}
        </div>
        <RunSummary />
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${chosenName}`} class="tab-panel">
        <Panel />
      </div>
    </section>
  );
}
