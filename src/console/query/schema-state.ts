/** The schema under the chosen view, and the stages and views that may be chosen. */
import { effect, signal } from '@preact/signals';
import { readEntities, readStages, readViews } from '../gateway/describe.js';
import type { Entity } from '../gateway/forms.js';
import { keyChanges } from '../gateway/key.js';
import { type Problem, Refused } from '../gateway/problem.js';
import { fitExample, view } from './state.js';

export const entities = signal<readonly Entity[]>([]);
export const stages = signal<readonly string[]>([]);
export const views = signal<readonly string[]>([]);
/** Why the schema could not be read. */
export const schemaFault = signal<Problem | undefined>(undefined);

/** Reads it now, and whenever the view or the key changes. Returns a function that ends that. */
export function watchSchema(): () => void {
  return effect(() => {
    void keyChanges.value;
    void readInto(view.value);
  });
}

async function readInto(under: string): Promise<void> {
  try {
    const [found, ofStages, ofViews] = await Promise.all([
      readEntities(under),
      readStages(),
      readViews(),
    ]);
    if (under !== view.peek()) return;
    entities.value = found;
    fitExample(found);
    stages.value = ofStages;
    views.value = ofViews;
    schemaFault.value = undefined;
  } catch (error) {
    // A key without the permission for the schema can still send queries.
    if (!(error instanceof Refused)) throw error;
    schemaFault.value = error.problem;
  }
}
