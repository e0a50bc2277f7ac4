/**
 * Sends a request to a gateway: the running one that `--url` names, or a new one on a free port of
 * the loopback interface, which ends with the command.
 */
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { isObject } from '../gateway/json-value.js';
import { DocumentError } from './import-file.js';
import { UsageError } from './arguments.js';
import type { CommandCall, GatewayCall } from './command.js';
import { writeOutput } from './output.js';
import type { OpenOptions } from '../project/project.js';
import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';

/** Sends requests to the gateway at an address without a trailing slash. */
export type AskGateway<Result> = (baseUrl: string, call: GatewayCall) => Promise<Result>;

/** Calls `ask` with the address of a gateway. */
export async function withGateway<Result>(
  call: CommandCall,
  ask: AskGateway<Result>,
  options: OpenOptions = {},
): Promise<Result> {
  const url = call.arguments.values.get('url');
  if (url !== undefined) {
    requireGateway(url);
    const running = { ...call, takeCause: () => undefined };
    return ask(url.replace(/\/+$/, ''), running).catch(reportUnreachable(url));
  }
  const { withOwnGateway } = await import('./own-gateway.js');
  return withOwnGateway(call, ask, options);
}

/** Throws a `UsageError`, which does not repeat the address: it may contain a password. */
export function requireGateway(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    const other = url ? `, not of ${url.protocol}//…` : '';
    throw new UsageError(
      `--url takes the address of a running gateway, such as http://127.0.0.1:9291${other}`,
    );
  }
  if (url.username === '' && url.password === '') return;
  throw new UsageError('--url takes no user and password; put a key into ROWGATE_KEY');
}

/** The headers of a request with the key or token in `ROWGATE_KEY`, which no other user of the machine sees. */
export function credentials({ environment }: CommandCall): Readonly<Record<string, string>> {
  const { ROWGATE_KEY: key } = environment;
  return key ? { authorization: `Bearer ${key}` } : {};
}

/** A request with a query, under the stage and the view of the command's flags. */
export function queryRequest(
  call: CommandCall,
  query: string,
  data: string | undefined,
  accept = 'application/json',
) {
  const { values } = call.arguments;
  const options = { stage: values.get('stage'), view: values.get('view') };
  const headers = { 'content-type': 'application/json', accept, ...credentials(call) };
  return { method: 'POST', headers, body: JSON.stringify({ query, data, options }) } as const;
}

/** The codes of Node.js for certificates of unknown issuers. */
const UNTRUSTED = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_|UNABLE_TO_)/;
const TRUST =
  'To trust its certificate, name the file of its issuer (PEM) in the variable NODE_EXTRA_CA_CERTS.';

/**
 * Adds the cause of a failed connection to the message, because `fetch` reports only that it failed.
 */
export function reportUnreachable(url: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof TypeError && error.cause instanceof Error)) throw error;
    const { message, code = '' }: NodeJS.ErrnoException = error.cause;
    const hint = UNTRUSTED.test(code) ? ` ${TRUST}` : '';
    throw new Error(`${url} does not answer: ${message}.${hint}`, { cause: error });
  };
}

/** The destination of an answer. */
export interface CopyOptions {
  /** Standard output, if absent. */
  readonly file?: string | undefined;
  /** Observes the bytes as they pass. */
  readonly watch?: ((body: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>) | undefined;
}

/** Copies an answer to a file or to standard output, or prints the error. Returns the exit code. */
export async function copyAnswer(
  response: Response,
  call: GatewayCall,
  { file, watch }: CopyOptions = {},
): Promise<number> {
  if (!response.ok) return reportRefusal(response, call);
  const body = bodyOf(response);
  await writeOutput(file, watch?.(body) ?? body);
  return 0;
}

/** Prints the error of an answer, and what the database said about it. Returns the exit code. */
export async function reportRefusal(
  response: Response,
  { terminal, environment, takeCause }: GatewayCall,
): Promise<number> {
  const isWithoutKey = response.status === 401 && !environment['ROWGATE_KEY'];
  const hint = isWithoutKey ? ' The command sends the one in the variable ROWGATE_KEY.' : '';
  const text = await refusalText(response);
  const cause = takeCause();
  const said = cause === undefined ? '' : ` The database says: ${cause}.`;
  terminal.report(`rowgate: ${text}${hint}${said}`);
  return 1;
}

/** The bytes of an answer. An answer that is cut off is an error. */
export async function* bodyOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (!body) return;
  try {
    yield* body;
  } catch (cause) {
    throw new Error('The answer was cut off before its end: the log of the gateway says why.', {
      cause,
    });
  }
}

/** The problem as `1:5: place: detail hint`, with a line for each of several errors; or the text of any other answer. */
async function refusalText(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const problem: unknown = JSON.parse(text);
    return formatProblem(problem) ?? text;
  } catch {
    return `${response.status} ${text}`;
  }
}

export function formatProblem(problem: unknown): string | undefined {
  if (!isObject(problem) || !('detail' in problem)) return undefined;
  const { detail, position, place, hint, errors } = problem;
  const start = isObject(position) ? `${String(position['ln'])}:${String(position['col'])}: ` : '';
  const where = place === undefined ? '' : `${String(place)}: `;
  const help = hint === undefined ? '' : ` ${String(hint)}`;
  const faults = Array.isArray(errors) && errors.length > 1 ? errors.filter(isObject) : [];
  const lines = faults.map((fault) => `  ${String(fault['place'])}: ${String(fault['message'])}`);
  return [`${start}${where}${String(detail)}${help}`, ...lines].join('\n');
}

/**
 * Resolves to the answer, which may arrive before the whole body is sent. Rejects like `fetch`,
 * which is not used because it waits at most five minutes for an answer.
 */
export function sendDocument(
  call: CommandCall,
  url: string,
  body: AsyncIterable<Uint8Array>,
): Promise<Response> {
  const request = url.startsWith('https:') ? overHttps : overHttp;
  const headers = { 'content-type': 'application/json', ...credentials(call) };
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) =>
      reject(
        cause instanceof DocumentError ? cause : new TypeError('The request failed.', { cause }),
      );
    const sent = request(url, { method: 'POST', headers });
    sent.once('response', (answer) => {
      const status = answer.statusCode ?? 500;
      resolve(new Response(Readable.toWeb(answer) as ReadableStream<Uint8Array>, { status }));
    });
    // Errors after the answer are reported here, too, and have no effect.
    sent.on('error', fail);
    pipeline(Readable.from(body, { objectMode: false }), sent).catch(fail);
  });
}
