/** A table that renders only the visible lines. All lines have the same height. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Cell, HeadCell } from './cells.js';
import { type Column, columnsOf, type Row, SAMPLED } from './columns.js';
import { type Line, lineAdder } from './lines.js';
import { nextSorting, type Sorting } from './sort.js';
import { useExtended } from './use-extended.js';
import { LINE_PX, type Sight, windowOf } from './window.js';

const INDENT_PX = 28;

export interface RowsTableProps {
  readonly rows: readonly Row[];
  /** The number of rows: the list itself grows, so that only this shows that there are more. */
  readonly count: number;
  readonly sorting: Sorting | undefined;
  readonly sort: (sorting: Sorting | undefined) => void;
}

export function RowsTable({ rows, count, sorting, sort }: RowsTableProps) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const columns = useMemo(() => columnsOf(rows), [rows, Math.min(count, SAMPLED)]);
  const add = useMemo(() => lineAdder(columns, unfolded), [columns, unfolded]);
  const lines = useExtended(rows, add, add);
  const { scroller, from, to, height, shift } = useWindow(lines.length);
  useEffect(() => setUnfolded(new Set()), [rows]);
  const toggle = (path: string) => {
    const next = new Set(unfolded);
    if (!next.delete(path)) next.add(path);
    setUnfolded(next);
  };
  return (
    <div class="rows" ref={scroller} tabIndex={0} role="region" aria-label="Rows">
      <div
        role="table"
        aria-label="Rows of the query"
        aria-rowcount={lines.length + 1}
        aria-colcount={columns.length}
      >
        <div role="row" class="line head" aria-rowindex={1} style={gridOf(columns, 0)}>
          {columns.map((column) => (
            <HeadCell
              key={column.name}
              column={column}
              sorting={sorting}
              sort={() => sort(nextSorting(sorting, column.name))}
            />
          ))}
        </div>
        <div role="rowgroup" class="lines" style={{ height: `${height}px` }}>
          {lines.slice(from, to).map((line, offset) => (
            <LineOf
              key={`${line.kind} ${line.path}`}
              line={line}
              index={from + offset}
              shift={shift}
              unfolded={unfolded}
              toggle={toggle}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

interface LineProps {
  readonly line: Line;
  readonly index: number;
  /** How much further down it is drawn, in pixels. */
  readonly shift: number;
  readonly unfolded: ReadonlySet<string>;
  readonly toggle: (path: string) => void;
}

function LineOf({ line, index, shift, unfolded, toggle }: LineProps) {
  const { columns, depth, path } = line;
  const transform = `translateY(${index * LINE_PX + shift}px)`;
  const place = { ...gridOf(columns, depth), transform };
  return (
    <div
      role="row"
      class={`line ${line.kind === 'head' ? 'nested-head' : depth > 0 ? 'nested' : ''}`}
      aria-rowindex={index + 2}
      style={place}
    >
      {columns.map((column) =>
        line.kind === 'head' ? (
          <span role="cell" class={column.isNumeric ? 'number' : ''} key={column.name}>
            {column.name}
          </span>
        ) : (
          <Cell
            key={column.name}
            column={column}
            value={line.row[column.name]}
            isUnfolded={unfolded.has(`${path}/${column.name}`)}
            toggle={() => toggle(`${path}/${column.name}`)}
          />
        ),
      )}
    </div>
  );
}

function gridOf(columns: readonly Column[], depth: number) {
  return {
    gridTemplateColumns: columns.map(({ width }) => `${width}ch`).join(' '),
    marginLeft: `${depth * INDENT_PX}px`,
  };
}

/** The visible lines of a scrolling element. */
function useWindow(lineCount: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const [sight, setSight] = useState<Sight>({ top: 0, height: 600 });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const look = () => setSight({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  return { scroller, ...windowOf(lineCount, sight) };
}
