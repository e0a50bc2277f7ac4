/** Fetches included rows: one statement for each include of all parents, one round trip for each level. */
import {
  collectByteKeys,
  demultiplexChildren,
  type EqualKeys,
  type FetchedBytes,
  type Include,
  type ParameterValues,
  RowBytes,
  type StatementPlan,
  parameterizeStatement,
} from '../../engine/index.js';
import { decodeText } from '../decode-text.js';
import type { Statement } from '../database/statement.js';
import { type Family, findEqualKeys } from './equal-keys.js';
import type { RowBudget } from './row-budget.js';
import { keysByStatement, keysToAsk } from './keys-to-ask.js';

/** Fetches the children of a level. */
export interface ChildReader {
  readonly values: ParameterValues;
  readonly budget: RowBudget;
  /** Runs the statements of `plans`. Fetches at most `rowsMax` rows of each (0: all). */
  fetch(
    statements: readonly Statement[],
    plans: readonly StatementPlan[],
    rowsMax: number,
  ): Promise<readonly RowBytes[]>;
}

interface Parent {
  readonly statement: StatementPlan;
  readonly rows: RowBytes;
  readonly children: Child[];
}

interface Child extends Parent {
  readonly include: Include;
  readonly equalKeys: EqualKeys | undefined;
}

/** An include that is being fetched. */
interface Asked extends Family {
  readonly parent: Parent;
  readonly asked: readonly string[];
}

/** Fetches the children of these rows, and assigns them to their parents. */
export async function fetchIncludes(
  reader: ChildReader,
  statement: StatementPlan,
  rows: RowBytes,
): Promise<FetchedBytes> {
  const root: Parent = { statement, rows, children: [] };
  let level: readonly Parent[] = [root];
  while (level.length > 0) level = await fetchLevel(reader, level);
  return demultiplexed(root);
}

/** Fetches the children of a level, which become the next level. */
async function fetchLevel(
  reader: ChildReader,
  parents: readonly Parent[],
): Promise<readonly Parent[]> {
  const wanted = parents.flatMap(includesOf);
  const results = await fetchAll(reader, wanted, reader.budget.rowsToAsk);
  const level: Child[] = [];
  for (const [index, one] of wanted.entries()) {
    const rows = results[index] ?? new RowBytes();
    reader.budget.take(rows.length);
    const { include, parent } = one;
    const equalKeys = await findEqualKeys(one, rows, (keys) => fetchAgain(reader, one, keys));
    const { statement } = include;
    const child: Child = { include, statement, rows, children: [], equalKeys };
    parent.children.push(child);
    level.push(child);
  }
  return level;
}

/** The children of each: those of many keys by several statements, all of them in one round trip. */
async function fetchAll(
  { fetch, values }: ChildReader,
  wanted: readonly Pick<Asked, 'include' | 'asked'>[],
  rowsMax: number,
): Promise<readonly RowBytes[]> {
  const parts = wanted.map(({ include, asked }) => keysByStatement(asked, include));
  const plans = wanted.flatMap(({ include }, index) =>
    (parts[index] ?? []).map(() => include.statement),
  );
  const keys = parts.flat();
  if (keys.length === 0) return [];
  const statements = plans.map((plan, index) =>
    parameterizeStatement(plan, values, keys[index] ?? []),
  );
  const results = (await fetch(statements, plans, rowsMax)).values();
  return parts.map((each) => {
    const [first = new RowBytes(), ...others] = each.flatMap(() => results.next().value ?? []);
    for (const other of others) first.append(other);
    return first;
  });
}

/** The children of some keys, all of which were fetched before: they do not count against the limit again. */
async function fetchAgain(
  reader: ChildReader,
  { include, parent }: Asked,
  keys: readonly string[],
): Promise<RowBytes> {
  const asked = keysToAsk(keys, parent.statement, include);
  const [rows] = await fetchAll(reader, [{ include, asked }], 0);
  return rows ?? new RowBytes();
}

function includesOf(parent: Parent): Asked[] {
  return parent.statement.includes.map((include) => {
    const { columns, dialect } = parent.statement;
    const type = columns[include.parentKeyColumn]?.type;
    const keys = collectByteKeys(include, parent.rows, decodeText);
    const asked = keysToAsk(keys, parent.statement, include);
    return { include, type, dialect, keys, asked, parent };
  });
}

/** The fetched tree, with the children assigned to their parents. */
function demultiplexed({ rows, children }: Parent): FetchedBytes {
  const includes = children.map((child) =>
    demultiplexChildren(child.include, rows, demultiplexed(child), {
      decode: decodeText,
      equalKeys: child.equalKeys,
    }),
  );
  return { rows, includes };
}
