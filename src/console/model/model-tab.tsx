/** The members of a row of the answer, as a tree. */
import { readModel } from '../gateway/describe.js';
import type { ModelField } from '../gateway/forms.js';
import { useAnswer } from '../query/use-answer.js';
import { ProblemBox } from '../ui/problem-box.js';

/** It links included rows to their parents, and is not part of the answer. */
const PARENT_KEY = 'ServiceParentId';

export function ModelTab() {
  const { value, problem } = useAnswer(readModel);
  if (problem) return <ProblemBox problem={problem} />;
  if (value === undefined) return <p class="empty">The model of the query appears here.</p>;
  if (value.length === 0) return <p class="empty">The answer is the number of rows.</p>;
  return (
    <div class="model">
      <Fields fields={value} />
    </div>
  );
}

function Fields({ fields }: { readonly fields: readonly ModelField[] }) {
  return (
    <ul>
      {fields
        .filter(({ name }) => name !== PARENT_KEY)
        .map((field) => (
          <li key={field.name}>{field.children ? <Branch {...field} /> : <Leaf {...field} />}</li>
        ))}
    </ul>
  );
}

function Branch({ name, type, children = [] }: ModelField) {
  return (
    <details open>
      <summary>
        <code>{name}</code> <span class="type">{type}</span>
      </summary>
      <Fields fields={children} />
    </details>
  );
}

function Leaf({ name, type }: ModelField) {
  return (
    <>
      <code>{name}</code> <span class="type">{type}</span>
    </>
  );
}
