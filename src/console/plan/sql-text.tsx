/** SQL with colours. */
import { formatSql, sqlTokens } from './sql.js';

export function SqlText({ sql }: { readonly sql: string }) {
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
