/**
 * The derived table `batch`, which has one row of arguments for each request: the columns p1, p2, … and
 * `ord`, which counts from 1.
 */
import type { Argument, DerivedTableStatement } from '../compiled-query.js';
import type { Dialect } from '../dialects/dialect.js';
import { isOfRequest } from './request-arguments.js';

/**
 * A statement that runs once for each row of the derived table. `render` returns the SQL before `FROM` and after the
 * table. It must write the arguments in the order of the plan's own statement, each as `placeholderOverride` returns it.
 */
export function overArguments(
  dialect: Dialect,
  given: readonly Argument[],
  render: (placeholderOverride: (argument: Argument) => string) => { head: string; tail: string },
): DerivedTableStatement {
  const listed = given.filter(isOfRequest);
  const shared: Argument[] = [];
  let next = 0;
  const { head, tail } = render((argument) => {
    if (isOfRequest(argument)) return `batch.p${++next}`;
    shared.push(argument);
    return dialect.placeholder(listed.length + shared.length);
  });
  const names = listed.map((_, index) => `p${index + 1}`);
  // As subqueries, so that the plan does not depend on the number of requests.
  const [first = '', ...more] = listed.map(
    (_, index) => `(SELECT ${dialect.placeholder(index + 1)}::`,
  );
  const pieces = [
    `${head} FROM unnest(${first}`,
    ...more.map((list) => `[]), ${list}`),
    `[])) WITH ORDINALITY AS batch(${names.join(', ')}, ord)${tail}`,
  ];
  const origins = given.flatMap((each, index) => (isOfRequest(each) ? [index] : []));
  return { pieces, listed, shared, origins };
}
