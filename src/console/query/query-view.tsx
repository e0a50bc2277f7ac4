/** The view for queries: the editor, the parameters, and the answers of the gateway. */
import { Editor } from '../editor/editor.js';
import type { Problem } from '../gateway/problem.js';
import { fault, isChecked, parameters } from './check.js';
import { ParameterForm } from './parameter-form.js';
import { enteredParameters } from './parameter-values.js';
import { QueryBar } from './query-bar.js';
import { Results } from './results.js';
import { run, runQuery } from './run.js';
import { entities } from './schema-state.js';
import { expression } from './state.js';

export function QueryView() {
  return (
    <div class="query-view">
      <section class="column card query" aria-label="Query">
        <QueryBar />
        <Editor text={expression} fault={fault} vocabulary={vocabulary} run={runNow} />
        <FaultLine />
      </section>
      <ParameterForm />
      <Results />
    </div>
  );
}

function vocabulary() {
  return { entities: entities.value, parameters: enteredParameters(parameters.value) };
}

/** Does nothing during a run: another press of the keys must not stop a write and send it again. */
function runNow(): void {
  if (run.value?.state !== 'running') void runQuery();
}

/** Shows the error in the expression below the editor. */
function FaultLine() {
  const problem = fault.value;
  return (
    <div class="fault-line" role="status" data-state={problem ? 'wrong' : 'right'}>
      {problem ? <Wrong problem={problem} /> : isChecked.value ? 'No errors' : 'Checking…'}
    </div>
  );
}

function Wrong({ problem: { detail, hint, position } }: { readonly problem: Problem }) {
  return (
    <>
      {position && <strong>{`${position.ln}:${position.col} `}</strong>}
      {detail} {hint}
    </>
  );
}
