/** Converts the query to code that sends it. */
import { endpoint } from '../gateway/root.js';
import { key } from '../gateway/key.js';
import { exactText, hasExactNumber } from '../rows/exact-json.js';
import { data, dataText, described } from './state.js';

const KEY_IN_CODE = 'ROWGATE_KEY';

/** A command for a POSIX shell. */
export function curlCommand(): string {
  const words = [
    `curl -s ${shellWord(endpoint('execute'))}`,
    `-H 'Content-Type: application/json'`,
    ...(key.value === '' ? [] : [`-H "Authorization: Bearer $${KEY_IN_CODE}"`]),
    `-d ${shellWord(JSON.stringify(body()))}`,
  ];
  return words.join(' \\\n  ');
}

/** A call of `fetch`, for a browser or Node.js. */
export function fetchCall(): string {
  const header = key.value === '' ? '' : `    authorization: \`Bearer \${${KEY_IN_CODE}}\`,\n`;
  return `const response = await fetch(${JSON.stringify(endpoint('execute'))}, {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
${header}  },
  body: JSON.stringify(${indented(body())}),
});
if (!response.ok) throw new Error((await response.json()).detail);
const rows = await response.json();
`;
}

/** A call with the package `@rowgate/client`. */
export function clientCall(): string {
  const settings = [
    `url: ${JSON.stringify(endpoint(''))}`,
    ...(key.value === '' ? [] : [`key: ${KEY_IN_CODE}`]),
    ...Object.entries(described.value.options ?? {}).map(
      ([name, value]) => `${name}: ${JSON.stringify(value)}`,
    ),
  ];
  const text = `\`${described.value.query.replaceAll(/[`\\]|\$\{/g, '\\$&')}\``;
  const values = hasMembers(data.value) ? `, ${exactText(data.value, { writeExact })}` : '';
  return `import { createClient } from '@rowgate/client';

const db = createClient({ ${settings.join(', ')} });
const rows = await db.query(${text}${values}).run();
`;
}

/** In JavaScript, an integer is a bigint. The client sends digits in a string, too. */
function writeExact(digits: string): string {
  return /^-?\d+$/.test(digits) ? `${digits}n` : JSON.stringify(digits);
}

/** The request. Data with numbers that JavaScript would round is its text. */
function body() {
  const sent = hasExactNumber(data.value) ? dataText.value.trim() : data.value;
  return { ...described.value, ...(hasMembers(data.value) && { data: sent }) };
}

function hasMembers(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function indented(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
