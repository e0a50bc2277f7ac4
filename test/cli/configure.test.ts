import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { configure } from '../../src/cli/configure.js';
import { optionGroups } from '../../src/cli/option-groups.js';
import { callCommand } from '../support/call-command.js';

const MIB = 1024 * 1024;

/** A schema file with these lines in its section `infrastructure.service`. */
async function fileWith(...lines: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rowgate-configure-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'schema.yaml');
  const service = ['infrastructure:', '  service:', ...lines.map((line) => `    ${line}`)];
  await writeFile(path, ['domain: {entities: []}', ...service, ''].join('\n'));
  return path;
}

interface Given {
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

function read(schema: string, { flags = [], environment = {} }: Given = {}) {
  const argv = ['--schema', schema, ...flags];
  return configure({ argv, environment, host: { cores: 2 } }, { options: optionGroups });
}

test('a server takes options of lambdaorm-svc from the schema file', async () => {
  const schema = await fileWith(
    'host: $HOST_NAME',
    'port: $PORT_OF_API',
    'requestBodySize: ${SIZE:-100mb}',
    'rateLimitWindowMs: 60000',
    'rateLimitMax: 1000',
    'workers: 3',
  );
  const { configuration, ignoredMembers } = await read(schema, {
    environment: { PORT_OF_API: '9300' },
  });
  expect(configuration).toMatchObject({
    host: '127.0.0.1',
    port: 9300,
    bodyBytesMax: 100 * MIB,
    rateLimit: 17,
    rateBurst: 1000,
    workers: 2,
  });
  expect(ignoredMembers).toEqual(['host', 'workers']);
});

test('the burst of the schema file belongs to its rate, and sizes may have fractions', async () => {
  const schema = await fileWith('rateLimitMax: 30', 'requestBodySize: 1.5mb');
  const { configuration } = await read(schema, { flags: ['--rate-limit', '100'] });
  const byDefault = (await read(await fileWith('port: 1'), { flags: ['--rate-limit', '100'] }))
    .configuration;
  expect(configuration).toMatchObject({ rateLimit: 100, bodyBytesMax: 1.5 * MIB });
  expect(configuration.rateBurst).toBe(byDefault.rateBurst);
});

test('flags and variables override the schema file, which overrides the defaults', async () => {
  const schema = await fileWith('host: http://localhost', 'port: 9300');
  const ports = async (given: Given) => (await read(schema, given)).configuration.port;
  expect(await ports({})).toBe(9300);
  expect(await ports({ environment: { PORT: '9301' } })).toBe(9301);
  expect(await ports({ environment: { PORT: '9301' }, flags: ['--port', '9302'] })).toBe(9302);
  const { ignoredMembers } = await read(schema, { environment: { HOST: '::1' } });
  expect(ignoredMembers).toEqual([]);
});

test('a variable that is not set leaves the default, also that of the other half of the rate', async () => {
  const schema = await fileWith('port: $PORT_OF_API', 'rateLimitMax: 90', 'rateLimitWindowMs: $MS');
  const { configuration } = await read(schema);
  expect(configuration).toMatchObject({ port: 9291, rateLimit: 3, rateBurst: 90 });
});

test.each([
  ['port: high', 'service.port: expected a whole number from 0 to 65535, got "high"'],
  ['requestBodySize: 5gb', 'service.requestBodySize: expected bytes from'],
  ['rateLimitMax: many', 'service.rateLimitMax: expected a whole number, got "many"'],
  ['rateLimitWindowMs: 0', 'service.rateLimitWindowMs: expected a whole number from 1, got "0"'],
])('a wrong value is an error with its place: %s', async (line, message) => {
  const schema = await fileWith(line);
  await expect(read(schema)).rejects.toThrow(`${schema}:4:`);
  await expect(read(schema)).rejects.toThrow(message);
});

test('check prints the options of the schema file, and warns of what is ignored', async () => {
  const schema = await fileWith('port: 9300', 'hots: x');
  const { stdout, stderr, code } = await callCommand(['check', '--schema', schema]);
  expect([stderr, code]).toEqual(['warning: infrastructure.service.hots is ignored\n', 0]);
  expect(stdout).toContain('--port 9300');
});

test('other commands ignore it, and so does a file that cannot be read', async () => {
  const schema = await fileWith('port: high');
  const input = { argv: ['--schema', schema], environment: {}, host: { cores: 2 } };
  const { configuration } = await configure(input, { options: ['Schema and databases'] });
  expect(configuration.port).toBe(9291);
  expect((await read(join(schema, 'absent.yaml'))).configuration.port).toBe(9291);
});

test('a command that does not listen ignores the address of other programs', async () => {
  const environment = { HOST: 'http://localhost', PORT: 'tcp://10.0.0.1:80' };
  const input = { argv: [], environment, host: { cores: 2 } };
  const { configuration } = await configure(input, { options: ['Schema and databases'] });
  expect(configuration).toMatchObject({ host: '127.0.0.1', port: 9291 });
  await expect(configure(input, { options: optionGroups })).rejects.toThrow('HOST: expected');
});
