/** Shows the statements of the query, and on demand how the database would execute them. */
import { readPlan } from '../gateway/describe.js';
import type { PlanNode } from '../gateway/forms.js';
import { useAnswer } from '../query/use-answer.js';
import { copyText } from '../ui/copy-text.js';
import { Icon } from '../ui/icons.js';
import { ProblemBox } from '../ui/problem-box.js';
import { Explain } from './explain.js';
import { formatSql, sqlTokens } from './sql.js';

export function PlanTab() {
  const { value, problem } = useAnswer(readPlan);
  if (problem) return <ProblemBox problem={problem} />;
  if (value === undefined) return <p class="empty">The plan of the query appears here.</p>;
  return (
    <div class="column plan">
      <Statement node={value} path="" />
      <Explain />
    </div>
  );
}

/** A statement with those of its included relations. `path` names the relation. */
function Statement({ node, path }: { readonly node: PlanNode; readonly path: string }) {
  const { entity, dialect, source, sentence, children = [] } = node;
  return (
    <article class="statement">
      <div class="statement-head">
        <h3>{entity}</h3>
        <span class="tag">{dialect}</span>
        <span class="tag">{source}</span>
        <button
          type="button"
          class="button small"
          aria-label={`Copy the SQL of ${entity}`}
          onClick={() => void copyText(sentence, 'SQL')}
        >
          <Icon name="copy" /> Copy
        </button>
      </div>
      <SqlText sql={sentence} />
      {children.map((child, index) => (
        <Statement key={`${path}/${index}`} node={child} path={`${path}/${index}`} />
      ))}
    </article>
  );
}

function SqlText({ sql }: { readonly sql: string }) {
  return (
    <pre class="sql" tabIndex={0} aria-label="SQL">
      <code>
        {sqlTokens(formatSql(sql)).map(({ kind, text }, index) =>
          kind === 'other' ? (
            text
          ) : (
            <span key={index} class={`sql-${kind}`}>
              {text}
            </span>
          ),
        )}
      </code>
    </pre>
  );
}
