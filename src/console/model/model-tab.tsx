/** The members of a row of the answer, as a tree. */
import { readModel } from '../gateway/describe.js';
import { type Parameter, PARENT_KEY } from '../gateway/forms.js';
import { useAnswer } from '../query/use-answer.js';
import { ProblemBox } from '../ui/problem-box.js';

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

function Fields({ fields }: { readonly fields: readonly Parameter[] }) {
  return (
    <ul>
      {fields
        .filter(({ name }) => name !== PARENT_KEY)
        .map((field) => (
          <li key={field.name}>
            <Field {...field} />
          </li>
        ))}
    </ul>
  );
}

function Field({ name, type, children }: Parameter) {
  const label = (
    <>
      <code>{name}</code> <span class="type">{type}</span>
    </>
  );
  if (children === undefined) return label;
  return (
    <details open>
      <summary>{label}</summary>
      <Fields fields={children} />
    </details>
  );
}
