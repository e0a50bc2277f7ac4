/** The files of `deploy` for Docker, Compose, Kubernetes and systemd, checked by linters. */
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { validate } from 'dockerfile-utils';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Service } from 'kubernetes-models/v1/Service';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { configure } from '../../src/cli/configure.js';
import { optionGroups } from '../../src/cli/option-groups.js';
import { readConfiguration } from '../../src/gateway/config.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { findProgram } from '../support/find-program.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string) => readFileSync(join(repository, 'deploy', name), 'utf8');

/** Checks that the arguments after `serve` are options, or the flags of the command. */
function expectServed([command, ...flags]: readonly string[]): void {
  expect(command).toBe('serve');
  expect(() =>
    readConfiguration({ argv: flags, environment: {}, host: { cores: 2 } }),
  ).not.toThrow();
}

test('the Dockerfile has no faults, and runs without root', () => {
  const text = read('Dockerfile');
  expect(validate(text)).toEqual([]);
  expect(text.match(/^FROM node:24-trixie-slim/gm)).toHaveLength(2);
  expect(text).toMatch(/^USER 1000:1000$/m);
  const [, words = '[]'] = /^CMD (\[.*\])$/m.exec(text) ?? [];
  expectServed(JSON.parse(words) as string[]);
});

test('a port in the schema file leaves the server at the port that the files of deploy name', async () => {
  const folder = makeTemporaryDirectory();
  const schema = join(folder, 'schema.yaml');
  writeFileSync(schema, 'domain: {entities: []}\ninfrastructure: {service: {port: 8080}}\n');
  const [, variables = ''] = /^ENV (.*HOST=.*)$/m.exec(read('Dockerfile')) ?? [];
  const environment = Object.fromEntries(
    variables.split(' ').map((each) => each.split('=') as [string, string]),
  );
  const argv = ['--schema', schema];
  const input = { argv, environment, host: { cores: 2 } };
  const { configuration } = await configure(input, { options: optionGroups });
  const port = String(configuration.port);
  expect(read('Dockerfile')).toMatch(new RegExp(`^EXPOSE ${port}$`, 'm'));
  expect(read('compose.yaml')).toContain(`:${port}:${port}\n`);
  expect(read('kubernetes.yaml')).toContain(`containerPort: ${port} }`);
});

const pem = (kind: string) =>
  readFileSync(new URL(`../http/certificates/first.${kind}`, import.meta.url));

test.each([
  ['ROWGATE_ADMIN_PORT', { ROWGATE_PORT: '1', PORT: '1' }],
  ['ROWGATE_PORT', { PORT: '1' }],
  ['ROWGATE_PORT', { PORT: '1', ROWGATE_TLS_CERT: 'first.crt' }],
  ['PORT', {}],
])('the health check of the Dockerfile asks at the port of %s beside %j', async (name, others) => {
  const [, words = '[]'] = /^HEALTHCHECK .*\\\n +CMD (\[.*\])$/m.exec(read('Dockerfile')) ?? [];
  const [, ...flags] = JSON.parse(words) as string[];
  let status = 200;
  const paths: (string | undefined)[] = [];
  const take: RequestListener = ({ url }, answer) => {
    paths.push(url);
    answer.writeHead(status).end();
  };
  const isSecure = 'ROWGATE_TLS_CERT' in others;
  const server = isSecure
    ? createSecureServer({ cert: pem('crt'), key: pem('key') }, take)
    : createServer(take);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const env = { ...others, [name]: String(port) };
  const check = () => promisify(execFile)(process.execPath, flags, { env });
  try {
    await check();
    status = 503;
    await expect(check()).rejects.toMatchObject({ code: 1 });
    expect(paths).toEqual(['/livez', '/livez']);
  } finally {
    server.close();
  }
});

test('the compose file builds that image, and waits for its database', () => {
  const { services } = parse(read('compose.yaml')) as {
    readonly services: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  expect(Object.keys(services)).toEqual(['database', 'rowgate']);
  expect(services['rowgate']).toMatchObject({
    build: { context: '..', dockerfile: 'deploy/Dockerfile' },
    depends_on: { database: { condition: 'service_healthy' } },
  });
  // A socket also answers while the image sets up its volume, before it restarts the server.
  expect(services['database']).toHaveProperty(
    'healthcheck.test',
    expect.arrayContaining(['pg_isready', '-h', '127.0.0.1']),
  );
  expectServed(services['rowgate']?.['command'] as string[]);
});

test('the manifests of Kubernetes are valid, and leave time for the drain', () => {
  const documents = parseAllDocuments(read('kubernetes.yaml')).map((each) => each.toJS() as object);
  const [deployment, service, budget] = documents;
  const models = [
    new Deployment(deployment),
    new Service(service),
    new PodDisruptionBudget(budget),
  ];
  expect(documents).toHaveLength(models.length);
  for (const model of models) expect(() => model.validate()).not.toThrow();
  const [valid] = models;
  const pod = valid instanceof Deployment ? valid.spec?.template.spec : undefined;
  const flags = pod?.containers[0]?.args ?? [];
  expectServed(flags);
  const drains = flags.map((flag) => Number(/^--drain-\w+-ms=(\d+)$/.exec(flag)?.[1] ?? 0));
  const sum = drains.reduce((one, other) => one + other);
  expect(sum).toBeGreaterThan(0);
  expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(sum / 1000);
  // With service links, a pod that is younger than the service gets a ROWGATE_PORT that is no port.
  const links = { ROWGATE_PORT: 'tcp://10.0.0.1:80' };
  const environment = pod?.enableServiceLinks === false ? {} : links;
  expect(() =>
    readConfiguration({ argv: flags.slice(1), environment, host: { cores: 2 } }),
  ).not.toThrow();
});

test.each(['Dockerfile', 'compose.yaml', 'kubernetes.yaml', 'rowgate.service'])(
  'the commands in the comments of %s fit the files of the repository',
  (name) => {
    const commands = [...read(name).matchAll(/^# {3}(.*)$/gm)].map(([, command = '']) => command);
    expect(commands.length).toBeGreaterThan(0);
    const { version } = JSON.parse(read('../package.json')) as { readonly version: string };
    const [archive = version] = commands.join().match(/(?<=rowgate-)\d[\d.]+\d(?=\.tgz)/) ?? [];
    expect(archive).toBe(version);
    const files = commands.join(' ').match(/(?<=-f )\S+/g) ?? [];
    expect(files.filter((file) => !existsSync(join(repository, file)))).toEqual([]);
  },
);

const compose = findProgram('docker-compose');

describe.runIf(compose !== undefined)('Compose (needs docker-compose)', () => {
  test('accepts the compose file, and asks for the password', () => {
    const folder = makeTemporaryDirectory();
    // Version 1 of Compose, which Debian 12 has, does not support the name of a project.
    const text = read('compose.yaml').replace(/^name: .*$/m, '');
    writeFileSync(join(folder, 'compose.yaml'), text);
    const config = (password?: string) =>
      spawnSync(compose ?? '', ['-f', join(folder, 'compose.yaml'), 'config'], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: folder, POSTGRES_PASSWORD: password },
      });
    const { status, stdout, stderr } = config('secret');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('DATABASE_URL: postgres://rowgate:secret@database:5432/shop\n');
    const unset = config();
    expect(unset.status).not.toBe(0);
    expect(unset.stderr).toContain('set a password');
  });
});

const analyze = findProgram('systemd-analyze');

describe.runIf(analyze !== undefined)('systemd (needs systemd-analyze)', () => {
  test('accepts the unit', () => {
    const unit = join(makeTemporaryDirectory(), 'rowgate.service');
    writeFileSync(unit, read('rowgate.service').replace('/usr/bin/node', process.execPath));
    const { status, stderr } = spawnSync(analyze ?? '', ['verify', unit], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    const [, words = ''] =
      /^ExecStart=\S+ \S+\/rowgate\.js (.*)$/m.exec(read('rowgate.service')) ?? [];
    expectServed(words.split(' '));
  });
});
