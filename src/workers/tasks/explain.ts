/** Asks the databases how they execute a query's statements, before or after running them. */
import {
  collectByteKeys,
  type DialectName,
  EngineError,
  type Include,
  invariant,
  type ParameterValues,
  parameterizeStatement,
  type StatementPlan,
} from '../../engine/index.js';
import type { Context } from '../context.js';
import { readTexts } from '../database/read-texts.js';
import { ByteBudget } from '../database/statement.js';
import { keysToAsk } from '../execute/keys-to-ask.js';
import { decodeText } from '../decode-text.js';
import { readData } from '../execute/execute-read.js';
import { sourceNames } from '../execute/read.js';
import {
  isUnavailable,
  leaseOf,
  type Leases,
  rollBackAll,
  withLeases,
} from '../execute/with-leases.js';
import { TimeLimit } from './time-limit.js';
import type { TransactionTask } from './transaction-steps.js';

/** A statement as `/plan` shows it, with what its database says about it. */
interface Explained {
  readonly entity: string;
  readonly dialect: DialectName;
  readonly source: string;
  readonly sentence: string;
  /** Null for an include without parents: its statement would not run. */
  readonly explain: unknown;
  readonly children?: readonly Explained[];
}

/** The commands that explain a statement, and that run and explain it. */
const commands = {
  PostgreSQL: ['EXPLAIN (FORMAT JSON)', 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)'],
  MySQL: ['EXPLAIN FORMAT=JSON', 'EXPLAIN ANALYZE'],
  MariaDB: ['EXPLAIN FORMAT=JSON', 'ANALYZE FORMAT=JSON'],
} satisfies Record<DialectName, readonly [string, string]>;

/** The maximum number of parents whose includes are run. */
const PARENTS_MAX = 1000;
const PARENTS_BYTES_MAX = 8 << 20;
/** The number of made-up keys with which an include is explained without being run. */
const KEYS = 10;

/**
 * Writes the answer for the only step without ending it. If the statements run, they do so in a transaction that is
 * read-only and rolled back. Rejects with an `EngineError` or a `SourceError`.
 */
export async function explain(context: Context, task: TransactionTask): Promise<void> {
  const { cancellation, instant, form, explains } = task;
  const [step] = task.steps;
  invariant(step, 'a step to explain');
  const { plan } = step.ready;
  if (plan.root.write)
    throw new EngineError('unsupported', 'Only queries that read are explained.');
  const values = readData(step.ready, step.data, instant);
  const chosen = context.plans.variant(step.ready, values.variant);
  const { root } = chosen.plan;
  const { sources } = context;
  const leasing = { sources, names: sourceNames(root), cancellation, mayRepeat: isUnavailable };
  const order = { ...leasing, mode: { readOnly: true } };
  const explained = await withLeases(order, async (leases) => {
    const limit = new TimeLimit(context.settings.transactionTimeoutMs, () => {
      for (const lease of leases.values()) lease.expire();
    });
    try {
      const tree = await explainTree(root, [], { leases, values, analyzes: explains === 'run' });
      await rollBackAll(leases);
      return tree;
    } finally {
      limit.close();
    }
  });
  task.answer.write(JSON.stringify(explained, null, form === 'pretty' ? 2 : undefined));
}

interface Explaining {
  readonly leases: Leases;
  readonly values: ParameterValues;
  readonly analyzes: boolean;
}

async function explainTree(
  plan: StatementPlan,
  keys: readonly string[],
  explaining: Explaining,
): Promise<Explained> {
  const { entity, dialect, source, includes } = plan;
  const { leases, values, analyzes } = explaining;
  const statement = parameterizeStatement(plan, values, keys);
  const [planned, analyzed] = commands[dialect];
  const text = `${analyzes ? analyzed : planned} ${statement.text}`;
  const lease = leaseOf(leases, source);
  const lines = (await readTexts(lease, { ...statement, text })).flat();
  const explain = readJson(lines.join('\n'));
  const node = { entity, dialect, source, sentence: statement.text, explain };
  if (includes.length === 0) return node;
  const budget = new ByteBudget(PARENTS_BYTES_MAX);
  const parents = analyzes ? await lease.fetch(statement, PARENTS_MAX, budget) : undefined;
  const children: Explained[] = [];
  for (const include of includes) {
    const own = parents
      ? keysToAsk(collectByteKeys(include, parents, decodeText), plan, include)
      : madeUpKeys(include);
    children.push(
      own.length === 0
        ? unexplained(include.statement)
        : await explainTree(include.statement, own, explaining),
    );
  }
  return { ...node, children };
}

/** MySQL returns the explanation of a statement that was run as text. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function unexplained({ entity, dialect, source, text, includes }: StatementPlan): Explained {
  const node = { entity, dialect, source, sentence: text, explain: null };
  if (includes.length === 0) return node;
  return { ...node, children: includes.map(({ statement }) => unexplained(statement)) };
}

/** Literal values of the types that the database does not read as numbers. */
const madeUp: Readonly<Record<string, (n: number) => string>> = {
  uuid: (n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  inet: (n) => `10.0.0.${n}`,
  interval: (n) => `PT${n}S`,
  boolean: (n) => String(n % 2 === 0),
  dateTime: (n) => new Date(n * 1000).toISOString(),
  date: (n) => new Date(n * 86_400_000).toISOString().slice(0, 10),
  time: (n) => `00:00:${String(n).padStart(2, '0')}`,
};

function madeUpKeys({ statement }: Include): readonly string[] {
  const key = statement.arguments.find(({ kind }) => kind === 'parentKeys');
  if (key?.kind !== 'parentKeys') return ['1'];
  const make = (type: string, n: number): string => (madeUp[type] ?? String)(n);
  return Array.from({ length: KEYS }, (_, n) =>
    key.parts ? JSON.stringify(key.parts.map((part) => make(part, n + 1))) : make(key.type, n + 1),
  );
}
