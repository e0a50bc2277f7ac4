/** Renders the cells of the table. */
import { plural } from '../ui/format.js';
import { Icon } from '../ui/icons.js';
import { cellText, type Column, isNested, nestedRows } from './columns.js';
import type { Sorting } from './sort.js';

export function HeadCell({
  column,
  sorting,
  sort,
}: {
  readonly column: Column;
  readonly sorting: Sorting | undefined;
  readonly sort: () => void;
}) {
  const isSorted = sorting?.column === column.name;
  const order = !isSorted ? 'none' : sorting.isDescending ? 'descending' : 'ascending';
  return (
    <div role="columnheader" aria-sort={order} class={column.isNumeric ? 'number' : ''}>
      <button type="button" onClick={sort} title={`Sort by ${column.name}`}>
        {column.name}
        {isSorted && <Icon name={sorting.isDescending ? 'down' : 'up'} />}
      </button>
    </div>
  );
}

export function Cell({
  column,
  value,
  isUnfolded,
  toggle,
}: {
  readonly column: Column;
  readonly value: unknown;
  readonly isUnfolded: boolean;
  readonly toggle: () => void;
}) {
  if (isNested(value)) {
    const summary = Array.isArray(value) ? plural(nestedRows(value).length, 'row') : 'object';
    return (
      <div role="cell">
        <button
          type="button"
          class="unfold"
          aria-expanded={isUnfolded}
          aria-label={`${column.name}: ${summary}`}
          onClick={toggle}
        >
          <Icon name={isUnfolded ? 'down' : 'right'} />
          {summary}
        </button>
      </div>
    );
  }
  const text = cellText(value);
  const kind = value === null || value === undefined ? 'null' : typeof value;
  return (
    <div
      role="cell"
      class={column.isNumeric ? `${kind} number` : kind}
      title={text.length > 30 ? text : undefined}
    >
      {text}
    </div>
  );
}
