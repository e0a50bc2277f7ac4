/** The rows of the last run, in a table that can be sorted and unfolded. */
import { useMemo, useState } from 'preact/hooks';
import { type Run, run, runQuery } from '../query/run.js';
import { copyText } from '../ui/copy-text.js';
import { count, plural } from '../ui/format.js';
import { Icon } from '../ui/icons.js';
import { ProblemBox } from '../ui/problem-box.js';
import { type Row, rowOf } from './columns.js';
import { toCsv, toJson } from './export-rows.js';
import { RowsTable } from './rows-table.js';
import { type Sorting, sorted } from './sort.js';
import { useExtended } from './use-extended.js';

const ROWS_IN_ALL = 1_000_000;
const NO_ROWS: readonly unknown[] = [];

export function RowsTab() {
  const [sorting, setSorting] = useState<Sorting | undefined>(undefined);
  const last = run.value;
  const rows = useExtended(last?.rows ?? NO_ROWS, addRow);
  // The list grows while rows arrive.
  const shown = useMemo(() => sorted(rows, sorting), [rows, rows.length, sorting]);
  if (last === undefined) return <p class="empty">Run the query to see its rows here.</p>;
  return (
    <>
      {last.problem && <ProblemBox problem={last.problem} />}
      {shown.length > 0 && (
        <>
          <RowsBar rows={shown} of={last} />
          <RowsTable rows={shown} count={shown.length} sorting={sorting} sort={setSorting} />
        </>
      )}
      {shown.length === 0 && last.state === 'done' && <p class="empty">The query has no rows.</p>}
    </>
  );
}

function addRow(rows: Row[], value: unknown): void {
  rows.push(rowOf(value));
}

function RowsBar({ rows, of }: { readonly rows: readonly Row[]; readonly of: Run }) {
  const { isCut, repeatable } = of;
  return (
    <div class="rows-bar">
      {isCut ? (
        <span>
          The first {count(rows.length)} rows.{' '}
          {repeatable && (
            <button
              type="button"
              class="link"
              onClick={() => void runQuery(ROWS_IN_ALL, repeatable)}
            >
              Read all
            </button>
          )}
        </span>
      ) : (
        <span>{plural(rows.length, 'row')}</span>
      )}
      <CopyButton form="CSV" copy={() => toCsv(rows)} />
      <CopyButton form="JSON" copy={() => toJson(rows)} />
    </div>
  );
}

function CopyButton({ form, copy }: { readonly form: string; readonly copy: () => string }) {
  return (
    <button
      type="button"
      class="button small"
      aria-label={`Copy the rows as ${form}`}
      onClick={() => void copyText(copy(), form)}
    >
      <Icon name="copy" /> {form}
    </button>
  );
}
