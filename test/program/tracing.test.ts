/** OpenTelemetry: the spans of requests, as a collector receives them, and a missing SDK. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockOf } from '../docs/blocks.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeServers } from '../support/http-servers.js';
import { ask, post, type Program, startProgram, until } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));

const [install = '', start = ''] = blockOf('docs/observability.md', 'npm install').split('\n');
/** The variables that the document sets. */
const shown = Object.fromEntries(start.split(' ').map((word) => word.split('=')));
const service: string = shown['OTEL_SERVICE_NAME'];

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A span of OTLP in JSON. */
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

const spans: Span[] = [];
const services = new Set<unknown>();
let collector: Server;
let server: SampleServer;

beforeAll(async () => {
  server = await startSampleServer();
  collector = createServer((request, response) => {
    let text = '';
    request.on('data', (bytes: Buffer) => (text += bytes.toString()));
    request.on('end', () => {
      const { resourceSpans } = JSON.parse(text) as Export;
      for (const { resource, scopeSpans } of resourceSpans) {
        services.add(attributesOf(resource.attributes)['service.name']);
        spans.push(...scopeSpans.flatMap((each) => each.spans));
      }
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
});
afterAll(async () => {
  collector.close();
  await server.stop();
});

function attributesOf(attributes: readonly Attribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** The span of the request with this trace, and its parts by their names. */
async function traceOf(traceId: string, parts: number) {
  const own = () => spans.filter((span) => span.traceId === traceId);
  await until('the spans arrive', () => own().length === parts + 1);
  const root = own().find(({ name }) => name.startsWith('POST'));
  const children = own().filter((span) => span !== root);
  expect(children.map(({ parentSpanId }) => parentSpanId)).toEqual(
    children.map(() => root?.spanId),
  );
  return { root, parts: new Map(children.map((span) => [span.name, span])) };
}

describeServers('the spans on %s', (http) => {
  let program: Program;

  beforeAll(async () => {
    const { port } = collector.address() as AddressInfo;
    const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint = '' } = shown;
    program = await startProgram(['--http-server', http, '--workers', '1'], {
      DATABASE_URL: server.url,
      OTEL_SERVICE_NAME: `${service}-${http}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.replace(/\d+$/, String(port)),
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    });
    await until('it is ready', async () => (await ask(program, '/readyz')).status === 200);
  });
  afterAll(() => program.stop());

  const digit = http === 'uws' ? 'a' : 'b';
  const send = (traceId: string, body: unknown, path = '/execute') =>
    post(program, path, body, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });

  test('continue the trace of the client, and show the parts of the request', async () => {
    const traceId = `${digit}1`.padEnd(32, '0');
    const query = 'Products.filter(p=>p.id==id).map(p=>p.name)';
    await send(traceId, { query, data: { id: 1 } });
    const { root, parts } = await traceOf(traceId, 3);
    expect(root).toMatchObject({
      name: 'POST /execute',
      kind: 2,
      parentSpanId: '00f067aa0ba902b7',
    });
    expect(attributesOf(root?.attributes ?? [])).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/execute',
      'http.response.status_code': 200,
    });
    expect([...parts.keys()]).toEqual(['compile', 'queue', 'database']);
    expect(attributesOf(parts.get('compile')?.attributes ?? [])).toMatchObject({
      'rowgate.expression': query,
    });
    expect(attributesOf(parts.get('database')?.attributes ?? [])).toMatchObject({
      'db.system.name': 'postgresql',
      'db.query.text': expect.stringMatching(/^SELECT .* = \$1/),
      'db.response.returned_rows': 1,
    });
    const [from, to] = [root?.startTimeUnixNano ?? '', root?.endTimeUnixNano ?? ''];
    for (const part of parts.values()) {
      expect(BigInt(part.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(from));
      expect(BigInt(part.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(to));
    }
    expect(services).toContain(`${service}-${http}`);
  });

  test('say why a request failed', async () => {
    const traceId = `${digit}2`.padEnd(32, '0');
    await send(traceId, { query: 'Nothing' });
    const { root } = await traceOf(traceId, 0);
    expect(attributesOf(root?.attributes ?? [])).toMatchObject({
      'http.response.status_code': 400,
      'error.type': 'unknown-entity',
    });
  });

  test('are not in the answer', async () => {
    const answer = await send(`${digit}3`.padEnd(32, '0'), { query: 'Shippers' });
    expect(answer.headers.get('server-timing')).toBeNull();
  });
});

test('the program says what to install if the SDK is missing', async () => {
  const folder = makeTemporaryDirectory();
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@opentelemetry'), { recursive: true });
  const from = join(repository, 'node_modules');
  const api = join('@opentelemetry', 'api');
  const others = readdirSync(from).filter((name) => name !== '@opentelemetry');
  for (const name of [...others, api]) symlinkSync(join(from, name), join(modules, name));
  for (const name of ['dist', 'package.json', 'schemas']) {
    cpSync(join(repository, name), join(folder, name), { recursive: true });
  }
  const words = [join(folder, 'dist/program/rowgate.js'), 'serve', '--port', '0'];
  const environment = { PATH: process.env['PATH'], OTEL_TRACES_EXPORTER: 'otlp' };
  const child = spawn(process.execPath, words, { env: environment });
  let errors = '';
  child.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString()));
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(errors.trim()).toMatch(new RegExp(`^.*: ${install}$`));
});
