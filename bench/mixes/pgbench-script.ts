/** Scripts with which pgbench runs the statements that Rowgate would run for a query. */
import { ask } from '../cases/ask-server.js';
import { queryRequest } from '../cases/case.js';
import type { BenchQuery } from './queries.js';

/** The answer of `/plan` about a query and its includes. */
interface Plan {
  readonly sentence: string;
  readonly children?: readonly Plan[];
}

/** The script of a query, with the statements that the Rowgate at this address reports. */
export async function pgbenchScript(url: string, query: BenchQuery): Promise<string> {
  const plan: Plan = JSON.parse(await ask(url, queryRequest('/plan', query.expression)));
  const { set, values } = query.pgbench;
  const lines = Object.entries(set).map(([name, expression]) => `\\set ${name} ${expression}`);
  const statements = statementsOf(plan).map((statement, index) =>
    statement.replaceAll(/\$(\d+)/g, (placeholder, number) => {
      const value = values[index]?.[Number(number) - 1];
      if (value === undefined) throw new Error(`${query.name} has no value for ${placeholder}.`);
      return value;
    }),
  );
  return [...lines, ...statements.map((statement) => `${statement};`), ''].join('\n');
}

function statementsOf({ sentence, children = [] }: Plan): readonly string[] {
  return [asSent(sentence), ...children.flatMap(statementsOf)];
}

/** If an index begins with the key, Rowgate sends this instead of what `/plan` shows. */
function asSent(sentence: string): string {
  return sentence.replace(/IN \(SELECT unnest\((\$1::(\w+\[\]))\)\)/, '= ANY((SELECT $1)::$2)');
}
