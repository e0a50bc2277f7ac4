/** Reads the answer of `POST /explain`: the statements with the explanations of their databases. */

/** A statement, and those of its included relations. */
export interface Explanation {
  readonly entity: string;
  /** In the form of the database. */
  readonly explain: unknown;
  readonly children: readonly Explanation[];
}

/** A step of PostgreSQL's plan. */
export interface PlanStep {
  readonly name: string;
  /** The table or index that is read. */
  readonly target: string;
  readonly cost: number | undefined;
  readonly rows: number | undefined;
  /** In milliseconds, if the statement was run. */
  readonly actualMs: number | undefined;
  readonly steps: readonly PlanStep[];
}

export function readExplanation(answer: unknown): Explanation | undefined {
  if (!isObject(answer)) return undefined;
  const { entity, explain = null, children } = answer;
  const inner = Array.isArray(children) ? children : [];
  return {
    entity: text(entity),
    explain,
    children: inner.flatMap((child) => readExplanation(child) ?? []),
  };
}

/** The steps of a plan of PostgreSQL; undefined for plans of other databases. */
export function planSteps(explain: unknown): PlanStep | undefined {
  const first: unknown = Array.isArray(explain) ? explain[0] : explain;
  return isObject(first) && isObject(first['Plan']) ? stepOf(first['Plan']) : undefined;
}

function stepOf(node: Readonly<Record<string, unknown>>): PlanStep {
  const { Plans: inner } = node;
  return {
    name: text(node['Node Type']),
    target: [node['Index Name'], node['Relation Name']].filter(Boolean).map(text).join(' on '),
    cost: number(node['Total Cost']),
    rows: number(node['Actual Rows']) ?? number(node['Plan Rows']),
    actualMs: number(node['Actual Total Time']),
    steps: Array.isArray(inner) ? inner.filter(isObject).map(stepOf) : [],
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
