/** The form for the parameters that the gateway has inferred, or for their data as JSON. */
import { useSignal } from '@preact/signals';
import type { Parameter } from '../gateway/forms.js';
import { exactText } from '../rows/exact-json.js';
import { parameters } from './check.js';
import { ParameterInput } from './parameter-input.js';
import { enteredParameters, valueAt, withValue } from './parameter-values.js';
import { data, dataText, expression } from './state.js';

/** Clauses whose data is a list of rows, for which there is no form. */
const TAKES_LIST = /\.\s*bulk(?:Insert|Upsert|Merge)\s*\(/;

export function ParameterForm() {
  const prefersJson = useSignal(false);
  const entered = enteredParameters(parameters.value);
  const needsJson = TAKES_LIST.test(expression.value) || data.value === undefined;
  const isJson = prefersJson.value || needsJson;
  return (
    <section class="column card parameters" aria-label="Parameters">
      <div class="bar">
        <h2>Parameters</h2>
        <div class="switch" role="group" aria-label="Enter the data as">
          {[false, true].map((asJson) => (
            <button
              type="button"
              key={String(asJson)}
              aria-pressed={isJson === asJson}
              disabled={!asJson && needsJson}
              onClick={() => (prefersJson.value = asJson)}
            >
              {asJson ? 'JSON' : 'Form'}
            </button>
          ))}
        </div>
      </div>
      {isJson ? <DataText /> : <Fields entered={entered} />}
    </section>
  );
}

function Fields({ entered }: { readonly entered: readonly Parameter[] }) {
  if (entered.length === 0) return <p class="empty">This query has no parameters.</p>;
  return (
    <div class="column fields">
      {entered.map(({ name, type }) => (
        <ParameterInput
          key={`${name} ${type}`}
          name={name}
          type={type}
          value={valueAt(data.value, name)}
          change={(value) => {
            dataText.value = exactText(withValue(data.value, name, value));
          }}
        />
      ))}
    </div>
  );
}

function DataText() {
  const isWrong = data.value === undefined;
  return (
    <div class="column data-text">
      <textarea
        aria-label="Data as JSON"
        aria-invalid={isWrong}
        spellcheck={false}
        rows={8}
        value={dataText.value}
        onInput={({ currentTarget }) => (dataText.value = currentTarget.value)}
      />
      {isWrong && <p class="fault">This is not JSON.</p>}
    </div>
  );
}
