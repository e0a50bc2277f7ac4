/** Renders the page of the documentation that lists the functions, from the function table. */
import { evaluatedFunctions } from '../../src/engine/values/evaluate/functions.js';
import { ownFunctions } from '../../src/engine/query/functions/own.js';
import type {
  FunctionDefinition,
  FunctionGroup,
} from '../../src/engine/query/functions/signature.js';
import { formOf, functionTable } from '../../src/engine/query/functions/table.js';

const titles = {
  comparison: 'Comparison',
  null: 'Null',
  numeric: 'Numbers',
  string: 'Strings',
  date: 'Dates and times',
  convert: 'Conversion',
} satisfies Record<FunctionGroup, string>;

const introduction = `# Functions

This page is written by \`UPDATE_DOCS=1 npx vitest run test/engine/functions/function-page.test.ts\`.

\`lower(p.name)\` can also be written as \`p.name.lower()\`, with the first argument in front.

- The result is the same in every dialect, for columns, parameters and literals alike. Strings from a column are
  compared and searched by the collation of the column, and other strings by code point.
- If an argument is null, the result is null, except for \`isNull\`, \`isNotNull\`, \`isEmpty\`,
  \`isNotEmpty\`, \`nvl\` and \`nvl2\`. A string concatenated with null is null.
- A result that does not exist is null: the root of a negative number, the number in a string that contains
  none, a date outside the years 1 to 9999. A result that is too large is an error (\`value-out-of-range\`).
- A list is \`[a, b]\`, a parameter or an array property; only \`in\` and \`includes\` accept one.
- Wherever a function takes a date, it accepts an ISO 8601 string. All dates are in UTC.
- The arguments of the types \`same\` and \`list\` must have a common type. \`numeric\` is an integer, a
  decimal or a number; \`clock\` is a dateTime, a date or a time; \`plain\` is a string, a number or a boolean;
  \`sized\` is a string or an array. \`any\` is any value but an array, and \`whatever\` includes arrays.
- A character is a Unicode code point; white space is defined as in JavaScript.
- \`integer\` and \`decimal\` are exact; \`number\` is a double.
`;

const head = '| function | returns | meaning | example |\n| --- | --- | --- | --- |';

const clockRemark = ' It stays the same during a request.';

/** The whole page as Markdown. */
export function functionPage(): string {
  const groups = Object.entries(titles).map(([group, title]) => {
    const rows = functionTable.filter((each) => each.group === group).map(row);
    return `## ${title}\n\n${[head, ...rows].join('\n')}\n`;
  });
  return [introduction, ...groups, ownPage()].join('\n');
}

/** The section about the functions that Rowgate evaluates itself. */
function ownPage(): string {
  const rows = Object.entries(ownFunctions).map(([name, definition]) =>
    row({ name, ...definition }),
  );
  const evaluated = [...evaluatedFunctions.keys()].sort().map(code).join(' ');
  return `## The schema file

Some expressions are evaluated by Rowgate instead of the database: \`default\`, \`writeValue\`, \`readValue\`, the
conditions of constraints and listeners, and values that \`insert\` and \`upsert\` compute. They can use these
functions: ${evaluated}.

There, \`==\` and \`!=\` are never null: null equals null and nothing else. A pattern of \`like\` or
\`ilike\` with \`_\` may have at most 100 signs between two \`%\` (\`too-complex\`). A text that is computed there may
have at most 33,554,432 characters (\`value-out-of-range\`). Those that one write computes may have 67,108,864 characters
together, apart from texts shorter than 256 characters; of a longer text, only what exceeds the longest value that its
expression reads is counted.

Three functions are allowed only in the schema file:

${[head, ...rows].join('\n')}
`;
}

function row(signature: FunctionDefinition & { readonly name: string }): string {
  const { aliases = [], example, returns, result } = signature;
  const meaning = signature.summary + (signature.readsClock ? clockRemark : '');
  const names = aliases.map((alias) => `, \`${alias}\``).join('');
  const gives = result ?? (typeof returns === 'string' ? `\`${returns}\`` : '');
  const [call, value] = example.map(code);
  const cells = [code(formOf(signature)) + names, gives, meaning, `${call} is ${value}`];
  return `| ${cells.join(' | ')} |`;
}

/** Code in a table's cell, which an unescaped bar would end. */
function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}
