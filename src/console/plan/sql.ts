/** Breaks SQL into lines, and into tokens with the kind of each. */

export type SqlKind = 'keyword' | 'name' | 'text' | 'number' | 'parameter' | 'other';

export interface SqlToken {
  readonly kind: SqlKind;
  readonly text: string;
}

const KEYWORDS = new Set(
  `ALL AND AS ASC BETWEEN BY CASE CAST COALESCE CONFLICT COUNT CROSS DELETE DESC DISTINCT DO ELSE END ESCAPE EXISTS FALSE
  FETCH FIRST FOR FROM FULL GROUP HAVING ILIKE IN INNER INSERT INTERVAL INTO IS JOIN LATERAL LAST LEFT LIKE LIMIT NOT
  NOTHING NULL NULLS OFFSET ON OR ORDER OUTER OVER PARTITION RETURNING RIGHT ROW ROWS SELECT SET THEN TRUE UNION UNNEST
  UPDATE USING VALUES WHEN WHERE WITH DUPLICATE KEY`.split(/\s+/),
);

const pattern =
  /(?<text>'(?:[^']|'')*')|(?<name>"(?:[^"]|"")*"|`(?:[^`]|``)*`)|(?<parameter>\$\d+|\?)|(?<number>\b\d+(?:\.\d+)?\b)|(?<word>[A-Za-z_][\w$]*)|(?<other>\s+|[^])/g;

/** The tokens of a statement, in order; together they are the whole text. */
export function sqlTokens(sql: string): readonly SqlToken[] {
  return [...sql.matchAll(pattern)].map(({ 0: text, groups }) => ({
    kind: kindOf(text, groups),
    text,
  }));
}

function kindOf(text: string, groups: Record<string, string> | undefined): SqlKind {
  const plain = (['text', 'name', 'parameter', 'number'] as const).find((kind) => groups?.[kind]);
  if (plain) return plain;
  if (groups?.['word'] === undefined) return 'other';
  return KEYWORDS.has(text.toUpperCase()) ? 'keyword' : 'name';
}

/** A clause begins a line, unless it is within parentheses. */
const BREAKS =
  /^(?:FROM|WHERE|GROUP|HAVING|ORDER|LIMIT|OFFSET|FETCH|UNION|LEFT|INNER|CROSS|JOIN|SET|VALUES|RETURNING)$/;
const INDENT = '  ';
/** Longer lists have an item per line. */
const LIST_MAX = 80;

/** The statement in lines: one for each clause, and one for each column of a long list. */
export function formatSql(sql: string): string {
  const clauses: string[] = [];
  let clause = '';
  let depth = 0;
  let previous = '';
  for (const { kind, text } of sqlTokens(sql)) {
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    // JOIN follows LEFT on its line.
    const isBreak =
      kind === 'keyword' && depth === 0 && BREAKS.test(text) && !BREAKS.test(previous);
    if (isBreak && clause.trim() !== '') {
      clauses.push(clause.trimEnd());
      clause = '';
    }
    clause += text;
    if (text.trim() !== '') previous = kind === 'keyword' ? text : '';
  }
  return [...clauses, clause].map((each) => splitList(each.trim())).join('\n');
}

function splitList(clause: string): string {
  if (clause.length <= LIST_MAX) return clause;
  let depth = 0;
  return sqlTokens(clause)
    .map(({ text }, index, all) => {
      if (text === '(') depth += 1;
      if (text === ')') depth -= 1;
      if (depth > 0) return text;
      if (text === ',') return `,\n${INDENT}`;
      return all[index - 1]?.text === ',' && text.trim() === '' ? '' : text;
    })
    .join('');
}
