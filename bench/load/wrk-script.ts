/**
 * The Lua script with which wrk sends the requests, and the file from which it reads them. The
 * bytes of each request are prepared beforehand, so that wrk itself has little to do.
 */
import type { HttpRequest } from '../cases/case.js';

/** Separates the requests in the file; no request contains it. */
const END = '\0';

/** The bytes of the requests for the host. */
export function wrkRequests(requests: readonly HttpRequest[], host: string): string {
  return requests.map((request) => toHttp(request, host) + END).join('');
}

/** What to count in addition; it costs the generator a few microseconds for each answer. */
export interface Counted {
  /** Answers with status 503. */
  readonly unavailable?: boolean;
  /** Answers that contain this text. */
  readonly failure?: string;
}

const COUNT_UNAVAILABLE = `
function response(status)
  if status == 503 then unavailable = unavailable + 1 end
end
`;

const countFailures = (failure: string) => `
function response(status, headers, body)
  if body:find(${JSON.stringify(failure)}, 1, true) then failed = failed + 1 end
end
`;

/** A script that sends the requests of `file` in turn, and prints a summary on one line. */
export function wrkScript(file: string, { unavailable, failure }: Counted): string {
  return `${unavailable ? COUNT_UNAVAILABLE : ''}${failure === undefined ? '' : countFailures(failure)}
unavailable = 0
failed = 0
local threads = {}
local requests = {}
local sent = 0

function setup(thread)
  threads[#threads + 1] = thread
end

function init(args)
  local file = assert(io.open(${JSON.stringify(file)}, "rb"))
  for text in file:read("*a"):gmatch("[^%z]+") do
    requests[#requests + 1] = text
  end
  file:close()
end

function request()
  sent = sent + 1
  return requests[sent % #requests + 1]
end

function done(summary, latency)
  local e = summary.errors
  print(string.format("summary %d %d %.0f %.0f %d %d %d %d %d", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    e.status, e.timeout, e.connect + e.read + e.write, threads[1]:get("unavailable"),
    threads[1]:get("failed")))
end
`;
}

function toHttp({ method, path, body }: HttpRequest, host: string): string {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`];
  if (method === 'POST') {
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
