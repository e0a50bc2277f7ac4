/**
 * The examples of a document: a `sh` block with a curl call, followed by a block with its answer:
 * `json`, `ndjson` or `csv`. In a block `json shortened`, only the first element of a list is shown,
 * with "…" for the rest.
 */

/** The documents whose examples are sent to the sample. */
export const samplePages: readonly string[] = [
  'README.md',
  'docs/http.md',
  'docs/writes.md',
  'docs/cookbook.md',
  'docs/operations.md',
];

/** A call, and the answer that the document shows. */
export interface Example {
  readonly line: number;
  /** The command. */
  readonly call: string;
  readonly path: string;
  /** The body. A call without a body is a GET. */
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly isJson: boolean;
  readonly isShortened: boolean;
  readonly shown: string;
}

/** The block of a new answer may be empty. */
const PAIR =
  /(```sh\n(curl [\s\S]*?)\n```\n\n```(json(?: shortened)?|ndjson|csv)\n)([\s\S]*?)\n?```/g;

/** The examples of a document, in order. */
export function examplesIn(text: string): readonly Example[] {
  return [...text.matchAll(PAIR)].map((match) => {
    const [, , call = '', language = '', shown = ''] = match;
    const path = /'http:\/\/127\.0\.0\.1:9291([^']*)'/.exec(call)?.[1];
    if (path === undefined) throw new Error(`No address in ${call}`);
    return {
      line: text.slice(0, match.index).split('\n').length,
      call,
      path,
      body: /-d '([^']*)'/.exec(call)?.[1],
      headers: Object.fromEntries(
        [...call.matchAll(/-H '([^:']+): ([^']*)'/g)].map(([, name, value]) => [name, value]),
      ),
      isJson: language.startsWith('json'),
      isShortened: language.endsWith('shortened'),
      shown,
    };
  });
}

/** Sends the request of an example, and returns the answer in the form that the document shows. */
export async function replay(base: string, example: Example): Promise<string> {
  const { path, body, headers, isJson, isShortened } = example;
  const init = body === undefined ? { headers } : { method: 'POST', headers, body };
  const text = await (await fetch(`${base}${path}`, init)).text();
  // Documents have no carriage returns.
  if (!isJson) return text.replaceAll('\r', '').trimEnd();
  if (path.includes('format=beautiful')) return text;
  const answer: unknown = JSON.parse(text);
  return format(isShortened ? shorten(answer) : answer);
}

/** The document with the current answers of its examples. */
export async function rewritten(text: string, base: string): Promise<string> {
  const answers: string[] = [];
  for (const example of examplesIn(text)) {
    const answer = await replay(base, example);
    const isSame = settled(answer) === settled(example.shown);
    answers.push(isSame ? example.shown : answer);
  }
  let index = 0;
  return text.replaceAll(PAIR, (_pair, start: string) => {
    const answer = answers[index++] ?? '';
    return `${start}${answer}\n\`\`\``;
  });
}

/** The answer without the parts that differ in each call. */
export function settled(answer: string): string {
  return answer.replaceAll(/"(time|requestId)": ?"[^"]*"|"(uptime)": ?[\d.]+/g, '"$1$2": …');
}

function shorten(value: unknown): unknown {
  if (Array.isArray(value)) {
    const rest = value.length > 1 ? ['…'] : [];
    return [...value.slice(0, 1).map(shorten), ...rest];
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shorten(each)]));
}

const LINE_MAX = 96;

/** Formats JSON with one line per member; values that fit are on one line. */
function format(value: unknown, indent = ''): string {
  const line = oneLine(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= LINE_MAX) {
    return line;
  }
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const members = Array.isArray(value)
    ? value.map((each) => format(each, inner))
    : Object.entries(value).map(
        ([name, each]) => `${JSON.stringify(name)}: ${format(each, inner)}`,
      );
  return `${open}\n${inner}${members.join(`,\n${inner}`)}\n${indent}${close}`;
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, each]) => `${JSON.stringify(name)}: ${oneLine(each)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
