/** The answers of the gateway: rows, plan and model. */
import { useSignal } from '@preact/signals';
import { ModelTab } from '../model/model-tab.js';
import { PlanTab } from '../plan/plan-tab.js';
import { RowsTab } from '../rows/rows-tab.js';
import { count } from '../ui/format.js';
import { type Tab, Tabs } from '../ui/tabs.js';
import { run } from './run.js';
import { RunSummary } from './run-summary.js';

type TabName = 'rows' | 'plan' | 'model';

const panels = { rows: RowsTab, plan: PlanTab, model: ModelTab } as const;

export function Results() {
  const chosen = useSignal<TabName>('rows');
  const rows = run.value?.rows;
  const tabs: readonly Tab<TabName>[] = [
    { name: 'rows', label: 'Rows', ...(rows && rows.length > 0 && { count: count(rows.length) }) },
    { name: 'plan', label: 'Plan' },
    { name: 'model', label: 'Model' },
  ];
  const Panel = panels[chosen.value];
  return (
    <Tabs
      label="Answer"
      tabs={tabs}
      chosen={chosen.value}
      choose={(name) => (chosen.value = name)}
      aside={<RunSummary />}
    >
      <Panel />
    </Tabs>
  );
}
