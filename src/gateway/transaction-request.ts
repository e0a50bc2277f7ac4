/** Reads the body of `/transaction`: a list of queries, and how they run together. */
import type { Scope } from './choose-view.js';
import { Refusal } from './errors.js';
import type { JsonValue } from './http/body.js';
import { isObject, kindOf } from './json-value.js';
import {
  type BodyRules,
  checkMembers,
  exactReader,
  memberOf,
  noTotal,
  optionsObject,
  optionsRefusal,
  type QueryRequest,
  readOptions,
  readQuery,
} from './query-request.js';

const ISOLATIONS = ['readCommitted', 'repeatableRead', 'serializable'] as const;

export type Isolation = (typeof ISOLATIONS)[number];

export interface TransactionRequest {
  readonly steps: readonly QueryRequest[];
  readonly isolation: Isolation | undefined;
  readonly readOnly: boolean;
}

/** Reads the request from a body. Throws a `Refusal`. */
export function readTransactionRequest(
  body: JsonValue,
  rules: BodyRules,
  scope: Scope,
): TransactionRequest {
  const found = stepsOf(body, rules);
  const { transactionStepsMax: stepsMax } = rules;
  if (found.steps.length === 0) throw stepsRefusal('A transaction must have at least one step.');
  if (found.steps.length > stepsMax) {
    throw stepsRefusal(`A transaction can have at most ${stepsMax} steps.`);
  }
  const { names, ...mode } = readMode(found.options, scope);
  const steps = found.steps.map((value, index) =>
    atStep(index, () => {
      if (!isObject(value)) {
        throw stepsRefusal(`A step must be a JSON object, not ${kindOf(value)}.`);
      }
      const exact = found.exact && (() => memberOf(found.exact?.(), index));
      const object = { value: withNames(value, names), exact, dataOf: body.dataOf };
      const request = readQuery(object, rules, scope);
      if (request.total) throw noTotal('A transaction');
      return request;
    }),
  );
  const first = steps[0]?.key;
  for (const [index, { key }] of steps.entries()) {
    if (key.stage === first?.stage && key.view === first.view) continue;
    const detail = 'All steps of a transaction must have the same stage and view.';
    throw optionsRefusal(detail, { step: index });
  }
  return { steps, ...mode };
}

/** Adds the number of the step to a `Refusal`. */
export function atStep<Result>(step: number, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, detail, ...more } = error.problem;
    throw new Refusal(code, detail, { ...more, step });
  }
}

interface FoundSteps {
  readonly steps: readonly unknown[];
  readonly options: unknown;
  /** The list of steps, from a parser that keeps all digits. */
  readonly exact: (() => unknown) | undefined;
}

function stepsOf({ text, value }: JsonValue, rules: BodyRules): FoundSteps {
  const exact = exactReader(text);
  if (Array.isArray(value)) return { steps: value, options: undefined, exact };
  if (!isObject(value)) {
    const detail = `The body is ${kindOf(value)}, not a list of steps or a JSON object.`;
    throw new Refusal('body-not-object', detail);
  }
  checkMembers(value, ['steps', 'options'], rules);
  const { steps, options } = value;
  if (!Array.isArray(steps)) {
    const found = steps === undefined ? 'absent' : kindOf(steps);
    throw stepsRefusal(`"steps" must be a list, not ${found}.`, STEPS_HINT);
  }
  return { steps, options, exact: exact && (() => memberOf(exact(), 'steps')) };
}

interface Names {
  readonly stage?: unknown;
  readonly view?: unknown;
}

/** The step with the names of its transaction among its options. */
function withNames(value: Readonly<Record<string, unknown>>, names: Names) {
  const own = optionsObject(value['options']);
  for (const name of ['stage', 'view'] as const) {
    const isOther = own[name] !== undefined && own[name] !== (names[name] ?? own[name]);
    if (isOther) throw optionsRefusal(`A step cannot change the "${name}" of its transaction.`);
  }
  return { ...value, options: { ...names, ...own } };
}

/** Options allowed in addition to those of a query. */
const TRANSACTION_OPTIONS = ['isolation', 'readOnly'];

function readMode(given: unknown, scope: Scope) {
  readOptions(given, scope, TRANSACTION_OPTIONS);
  const { isolation, readOnly = false, stage, view } = optionsObject(given);
  const names = { ...(stage !== undefined && { stage }), ...(view !== undefined && { view }) };
  const level = ISOLATIONS.find((each) => each === isolation);
  if (isolation !== undefined && level === undefined) {
    throw optionsRefusal(`"isolation" must be one of ${ISOLATIONS.join(', ')}.`);
  }
  if (typeof readOnly !== 'boolean') throw optionsRefusal('"readOnly" must be true or false.');
  return { names, isolation: level, readOnly };
}

const STEPS_HINT = 'Send {"steps": [{"query": "…", "data": {…}}, …]}, or the list alone.';

function stepsRefusal(detail: string, hint?: string): Refusal {
  return new Refusal('steps-invalid', detail, hint === undefined ? {} : { hint });
}
