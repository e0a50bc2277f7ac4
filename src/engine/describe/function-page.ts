/** The page of the documentation that lists the functions, from their table. */
import { evaluatedFunctions } from '../values/evaluate/functions.js';
import { ownFunctions } from '../query/functions/own.js';
import type {
  FunctionDefinition,
  FunctionGroup,
  FunctionParameter,
} from '../query/functions/signature.js';
import { functionTable } from '../query/functions/table.js';

const titles = {
  comparison: 'Comparison',
  null: 'Null',
  numeric: 'Numbers',
  string: 'Texts',
  date: 'Dates and times',
  convert: 'Conversion',
} satisfies Record<FunctionGroup, string>;

const introduction = `# Functions

This page is written by \`node scripts/write-function-docs.mjs\`.

A function is called as \`lower(p.name)\` or, its first argument in front, as \`p.name.lower()\`.

- A value is the same in every dialect, on columns, parameters and literals alike. Texts are compared,
  and looked for in texts, by the collation of their column; two texts without one by code point.
- An argument that is null gives null, except where the function is about null: \`isNull\`,
  \`isNotNull\`, \`isEmpty\`, \`isNotEmpty\`, \`nvl\` and \`nvl2\`. A text joined with null is null.
- What has no value (the root of a negative number, the number in a text that holds none, a date outside
  of the years 1 to 9999) is null. What is too great is an error (\`value-out-of-range\`).
- A list is \`[a, b]\` or a parameter; only \`in\` and \`includes\` take one.
- A text in ISO 8601 stands for a date wherever one is taken. Dates are those of UTC.
- The types \`same\` and \`list\` have one type in common; \`numeric\` is an integer, a decimal or a
  number; \`clock\` is a dateTime, a date or a time; \`plain\` is a string, a number or a boolean.
- A letter is a Unicode code point; white space is JavaScript's.
- \`integer\` and \`decimal\` are exact; \`number\` is a double.
`;

const head = '| function | gives | meaning | example |\n| --- | --- | --- | --- |';

const clockRemark = ' It is the same throughout a request.';

/** The whole page as Markdown. */
export function functionPage(): string {
  const groups = Object.entries(titles).map(([group, title]) => {
    const rows = functionTable.filter((each) => each.group === group).map(row);
    return `## ${title}\n\n${[head, ...rows].join('\n')}\n`;
  });
  return [introduction, ...groups, ownPage()].join('\n');
}

/** The functions that stand in the schema file alone, and what else Rowgate evaluates there. */
function ownPage(): string {
  const rows = Object.entries(ownFunctions).map(([name, definition]) =>
    row({ name, ...definition }),
  );
  const evaluated = [...evaluatedFunctions.keys()].sort().map(code).join(' ');
  return `## The schema file

What Rowgate evaluates itself (\`default\`, \`writeValue\`, \`readValue\`, conditions of constraints
and listeners, and what \`insert\` and \`upsert\` compute) is made of these functions: ${evaluated}.

Three of them stand in the schema file alone:

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

/** `round(x: numeric, digits: integer = 0)` */
function formOf({ name, parameters }: FunctionDefinition & { readonly name: string }): string {
  return `${name}(${parameters.map(parameterText).join(', ')})`;
}

function parameterText({ name, type, given, fallback }: FunctionParameter): string {
  if (given === 'rest') return `…${name}: ${type}`;
  if (given === 'always') return `${name}: ${type}`;
  return fallback === undefined ? `${name}?: ${type}` : `${name}: ${type} = ${fallback}`;
}

/** Code in a cell of a table, where a bar would end it. */
function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}
