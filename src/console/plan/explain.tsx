/** Shows how the database would execute the query, on demand, if the gateway supports that. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ask, hasEndpoint } from '../gateway/ask.js';
import { Refused } from '../gateway/problem.js';
import { requested } from '../query/state.js';
import type { Answered } from '../query/use-answer.js';
import { duration, plural } from '../ui/format.js';
import { ProblemBox } from '../ui/problem-box.js';
import { type Explanation, type PlanStep, planSteps, readExplanation } from './explanation.js';

type Explained = Answered<Explanation | undefined>;

export function Explain() {
  const isOffered = useSignal(false);
  const explained = useSignal<Explained>({});
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    void hasEndpoint('explain').then((has) => (isOffered.value = has));
  }, []);
  useEffect(() => {
    explained.value = {};
  }, [requested.value]);
  // The statements above may fill the tab.
  useEffect(() => {
    const isShown = explained.value.value ?? explained.value.problem;
    if (isShown) section.current?.scrollIntoView();
  }, [explained.value]);
  if (!isOffered.value) return null;
  const { value, problem } = explained.value;
  const explain = async (analyze: boolean) => (explained.value = await askToExplain(analyze));
  return (
    <section class="statement" aria-label="Execution plan" ref={section}>
      <div class="statement-head">
        <h3>Execution plan</h3>
        <div class="bar-end">
          <button type="button" class="button small" onClick={() => void explain(false)}>
            Explain
          </button>
          <button type="button" class="button small" onClick={() => void explain(true)}>
            Run and explain
          </button>
        </div>
      </div>
      {problem && <ProblemBox problem={problem} />}
      {value && <ExecutionPlan explanation={value} />}
    </section>
  );
}

/** `analyze`: the statements are executed, and the database measures them. */
async function askToExplain(analyze: boolean): Promise<Explained> {
  const { options } = requested.value;
  const body = { ...requested.value, ...(analyze && { options: { ...options, analyze } }) };
  try {
    return { value: readExplanation(await ask('explain', { body })) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { problem: error.problem };
  }
}

/** The databases' own plans: PostgreSQL's as a tree, those of others as JSON. */
function ExecutionPlan({ explanation }: { readonly explanation: Explanation }) {
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
