/** How the database would execute the query: asked for with a button, if the gateway can tell. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask, hasEndpoint } from '../gateway/ask.js';
import { type Problem, Refused } from '../gateway/problem.js';
import { data, described } from '../query/state.js';
import { ProblemBox } from '../ui/problem-box.js';

interface Explained {
  readonly text?: string;
  readonly problem?: Problem;
}

export function Explain() {
  const isOffered = useSignal(false);
  const explained = useSignal<Explained>({});
  useEffect(() => {
    void hasEndpoint('explain').then((has) => (isOffered.value = has));
  }, []);
  useEffect(() => {
    explained.value = {};
  }, [described.value]);
  if (!isOffered.value) return null;
  const { text, problem } = explained.value;
  const explain = async () => (explained.value = await askToExplain());
  return (
    <article class="statement">
      <div class="statement-head">
        <h3>Execution plan</h3>
        <button type="button" class="button small" onClick={() => void explain()}>
          Explain
        </button>
      </div>
      {problem && <ProblemBox problem={problem} />}
      {text !== undefined && (
        <pre class="sql" tabIndex={0} aria-label="Execution plan">
          {text}
        </pre>
      )}
    </article>
  );
}

async function askToExplain(): Promise<Explained> {
  try {
    const answer = await ask('explain', { body: { ...described.value, data: data.value } });
    return { text: JSON.stringify(answer, null, 2) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { problem: error.problem };
  }
}
