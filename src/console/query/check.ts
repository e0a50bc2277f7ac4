/** Checks the query while it is being written: asks the gateway for errors and parameters. */
import { effect, signal } from '@preact/signals';
import { readParameters } from '../gateway/describe.js';
import type { Parameter } from '../gateway/forms.js';
import { keyChanges } from '../gateway/key.js';
import { type Problem, Refused } from '../gateway/problem.js';
import { exactText } from '../rows/exact-json.js';
import { enteredParameters } from './parameter-values.js';
import { data, dataText, described } from './state.js';

const PAUSE_MS = 250;

/** The error in the expression; undefined if there is none. */
export const fault = signal<Problem | undefined>(undefined);
/** The parameters of the last valid expression. */
export const parameters = signal<readonly Parameter[]>([]);
/** Whether the last answer belongs to the current expression. */
export const isChecked = signal(false);

/** The members of the data that parameters of this or an earlier expression have used. */
const usedNames = new Set<string>();

/**
 * Removes the values of parameters that the expression no longer has. This is done when the query is executed
 * or copied, because a parameter that is being renamed gets its value back.
 */
export function dropOldValues(): void {
  const values = data.value;
  if (!isChecked.value || fault.value || typeof values !== 'object' || Array.isArray(values))
    return;
  const names = namesOf(parameters.value);
  const kept = Object.entries(values ?? {}).filter(
    ([name]) => names.has(name) || !usedNames.has(name),
  );
  if (kept.length === Object.keys(values ?? {}).length) return;
  dataText.value = exactText(Object.fromEntries(kept));
}

/** The members of the data that the parameters use: `entity` for `entity.id`. */
function namesOf(found: readonly Parameter[]): ReadonlySet<string> {
  const all = [...found, ...enteredParameters(found)];
  return new Set(all.map(({ name }) => name.split('.')[0] ?? ''));
}

/** Checks after each change, once the text rests for a moment. Returns a function that ends that. */
export function watchExpression(): () => void {
  let isFirst = true;
  return effect(() => {
    const body = described.value;
    void keyChanges.value;
    isChecked.value = false;
    const stopped = new AbortController();
    const timer = setTimeout(() => void check(body, stopped.signal), isFirst ? 0 : PAUSE_MS);
    isFirst = false;
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  });
}

async function check(body: typeof described.value, stopped: AbortSignal): Promise<void> {
  if (body.query.trim() === '') {
    fault.value = undefined;
    parameters.value = [];
    isChecked.value = true;
    return;
  }
  try {
    const found = await readParameters(body, stopped);
    fault.value = undefined;
    parameters.value = found;
    for (const name of namesOf(found)) usedNames.add(name);
  } catch (error) {
    if (stopped.aborted) return;
    if (!(error instanceof Refused)) throw error;
    fault.value = error.problem;
  }
  isChecked.value = true;
}
