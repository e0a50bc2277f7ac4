/** Asks the gateway about the query, again after each change that leaves it valid. */
import { useEffect, useState } from 'preact/hooks';
import type { Query } from '../gateway/forms.js';
import { keyChanges } from '../gateway/key.js';
import { type Problem, Refused } from '../gateway/problem.js';
import { fault, isChecked } from './check.js';
import { described } from './state.js';

export interface Answered<Value> {
  /** The last answer; undefined if there is none yet. */
  readonly value?: Value;
  readonly problem?: Problem;
}

export function useAnswer<Value>(
  read: (query: Query, signal: AbortSignal) => Promise<Value>,
): Answered<Value> {
  const [answered, setAnswered] = useState<Answered<Value>>({});
  const query = described.value;
  const isReady = isChecked.value && fault.value === undefined && query.query.trim() !== '';
  useEffect(() => {
    if (!isReady) return undefined;
    const stopped = new AbortController();
    read(query, stopped.signal).then(
      (value) => setAnswered({ value }),
      (error: unknown) => {
        if (stopped.signal.aborted) return;
        if (!(error instanceof Refused)) throw error;
        setAnswered({ problem: error.problem });
      },
    );
    return () => stopped.abort();
  }, [query, isReady, keyChanges.value]);
  return fault.value === undefined ? answered : { problem: fault.value };
}
