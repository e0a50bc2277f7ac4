/** Reads the body of `/transaction`: a list of queries, and how they run together. */
import type { Catalog } from '../engine/index.js';
import type { KnownProblem } from './errors.js';
import { isObject, type JsonValue, kindOf } from './http/body.js';
import {
  exactReader,
  optionsObject,
  optionsProblem,
  type QueryRequest,
  readOptions,
  readQuery,
} from './query-request.js';

const ISOLATIONS = ['readCommitted', 'repeatableRead', 'serializable'] as const;

export type Isolation = (typeof ISOLATIONS)[number];

/** What `/transaction` is asked. */
export interface TransactionRequest {
  readonly kind: 'request';
  readonly steps: readonly QueryRequest[];
  readonly isolation: Isolation | undefined;
  readonly readOnly: boolean;
}

interface Refused {
  readonly kind: 'problem';
  readonly problem: KnownProblem;
}

/** Bounds of what is read. */
export interface TransactionLimits {
  readonly stepsMax: number;
  readonly expressionLengthMax: number;
}

/** The request of a body, or what is wrong with it. */
export function readTransactionRequest(
  body: JsonValue,
  limits: TransactionLimits,
  catalog: Catalog,
): TransactionRequest | Refused {
  const found = stepsOf(body);
  if ('problem' in found) return { kind: 'problem', problem: found.problem };
  if (found.steps.length === 0) return refused('A transaction has one step at least.');
  if (found.steps.length > limits.stepsMax) {
    return refused(`A transaction has ${limits.stepsMax} steps at most.`);
  }
  const mode = readMode(found.options, catalog);
  if ('problem' in mode) return { kind: 'problem', problem: mode.problem };
  const steps: QueryRequest[] = [];
  for (const [index, value] of found.steps.entries()) {
    const step = readStep(value, found.exact && (() => memberOf(found.exact?.(), index)), {
      limits,
      catalog,
      names: mode.names,
    });
    if (step.kind === 'problem') {
      return { kind: 'problem', problem: { ...step.problem, step: index } };
    }
    steps.push(step);
  }
  const first = steps[0]?.key;
  const other = steps.findIndex(
    ({ key: { stage, view } }) => stage !== first?.stage || view !== first.view,
  );
  if (other !== -1) {
    const detail = 'All steps of a transaction have the same stage and view.';
    return { kind: 'problem', problem: { ...optionsProblem(detail), step: other } };
  }
  return { kind: 'request', steps, isolation: mode.isolation, readOnly: mode.readOnly };
}

interface FoundSteps {
  readonly steps: readonly unknown[];
  readonly options: unknown;
  /** The list of the steps, by a parser that keeps digits. */
  readonly exact: (() => unknown) | undefined;
}

function stepsOf({ text, value }: JsonValue): FoundSteps | { readonly problem: KnownProblem } {
  const exact = exactReader(text);
  if (Array.isArray(value)) return { steps: value, options: undefined, exact };
  if (!isObject(value)) {
    const detail = `The body is ${kindOf(value)}, not a list of steps or a JSON object.`;
    return { problem: { code: 'body-not-object', detail } };
  }
  const { steps, options } = value;
  if (!Array.isArray(steps)) {
    const found = steps === undefined ? 'absent' : kindOf(steps);
    return { problem: stepsProblem(`"steps" must be a list; it is ${found}.`) };
  }
  return { steps, options, exact: exact && (() => memberOf(exact(), 'steps')) };
}

function memberOf(value: unknown, name: string | number): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

interface StepSetting {
  readonly limits: TransactionLimits;
  readonly catalog: Catalog;
  readonly names: object;
}

function readStep(
  value: unknown,
  exact: (() => unknown) | undefined,
  { limits, catalog, names }: StepSetting,
) {
  if (!isObject(value)) return refused(`A step is a JSON object; this is ${kindOf(value)}.`);
  const own = optionsObject(value['options']);
  const options = own ? { ...names, ...own } : value['options'];
  return readQuery({ value: { ...value, options }, exact }, limits.expressionLengthMax, catalog);
}

interface Mode {
  /** The stage and the view of steps that name none. */
  readonly names: object;
  readonly isolation: Isolation | undefined;
  readonly readOnly: boolean;
}

/** Those beside the options of a query. */
const TRANSACTION_OPTIONS = ['isolation', 'readOnly'];

function readMode(given: unknown, catalog: Catalog): Mode | { readonly problem: KnownProblem } {
  const options = optionsObject(given);
  if (!options) return { problem: optionsProblem('"options" must be an object.') };
  const names = readOptions(options, catalog, TRANSACTION_OPTIONS);
  if ('problem' in names) return names;
  const { isolation, readOnly = false } = options;
  const level = ISOLATIONS.find((each) => each === isolation);
  if (isolation !== undefined && level === undefined) {
    return { problem: optionsProblem(`"isolation" must be one of ${ISOLATIONS.join(', ')}.`) };
  }
  if (typeof readOnly !== 'boolean') {
    return { problem: optionsProblem('"readOnly" must be true or false.') };
  }
  return { names, isolation: level, readOnly };
}

function refused(detail: string): Refused {
  return { kind: 'problem', problem: stepsProblem(detail) };
}

function stepsProblem(detail: string): KnownProblem {
  return { code: 'steps-invalid', detail };
}
