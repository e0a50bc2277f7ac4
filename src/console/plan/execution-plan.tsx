/** The databases' own plans: PostgreSQL's as a tree, those of others as JSON. */
import { duration, plural } from '../ui/format.js';
import { type Explanation, type PlanStep, planSteps } from './explanation.js';

export function ExecutionPlan({ explanation }: { readonly explanation: Explanation }) {
  const { entity, explain, children } = explanation;
  const step = planSteps(explain);
  return (
    <div class="explanation">
      <h4>{entity}</h4>
      {explain === null && <p>The statement was not run, because no row includes others.</p>}
      {step && (
        <ul class="steps">
          <Step step={step} />
        </ul>
      )}
      {explain !== null && !step && <Json value={explain} label={entity} />}
      {step && (
        <details>
          <summary>As JSON</summary>
          <Json value={explain} label={entity} />
        </details>
      )}
      {children.map((child, index) => (
        <ExecutionPlan key={index} explanation={child} />
      ))}
    </div>
  );
}

function Step({ step }: { readonly step: PlanStep }) {
  const { name, target, cost, rows, actualMs, steps } = step;
  return (
    <li>
      <b>{name}</b> {target !== '' && <code>{target}</code>}{' '}
      <span class="type">
        {rows !== undefined && plural(rows, 'row')}
        {cost !== undefined && `, cost ${cost}`}
        {actualMs !== undefined && `, ${duration(actualMs)}`}
      </span>
      {steps.length > 0 && (
        <ul>
          {steps.map((each, index) => (
            <Step key={index} step={each} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Json({ value, label }: { readonly value: unknown; readonly label: string }) {
  return (
    <pre class="sql" tabIndex={0} role="region" aria-label={`The plan of ${label} as JSON`}>
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}
