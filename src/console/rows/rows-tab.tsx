/** The rows of the last run, in a table that can be sorted and unfolded. */
import { useMemo, useState } from 'preact/hooks';
import { run } from '../query/run.js';
import { rowOf } from './columns.js';
import { type Sorting, sorted } from './sort.js';
import { RowsTable } from './rows-table.js';

export function RowsTab() {
  const [sorting, setSorting] = useState<Sorting | undefined>(undefined);
  const rows = run.value?.rows ?? [];
  const shown = useMemo(() => sorted(rows.map(rowOf), sorting), [rows, rows.length, sorting]);
  if (run.value === undefined) return <p class="empty">Run the query to see its rows here.</p>;
  if (shown.length === 0 && run.value.state === 'done') return <p class="empty">No rows.</p>;
  return <RowsTable rows={shown} sorting={sorting} sort={setSorting} />;
}
