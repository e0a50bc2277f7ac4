import { describe, expect, it } from 'vitest';
import {
  allOptions,
  misspeltVariables,
  readConfiguration,
  type Settings,
} from '../../src/gateway/config.js';

const MIB = 1024 * 1024;

const read = (argv: readonly string[], environment: Record<string, string> = {}, cores = 4) =>
  readConfiguration({ argv, environment, host: { cores } });

describe('the configuration', () => {
  it('has the defaults of the operating contract', () => {
    expect(read([])).toMatchObject({
      host: '127.0.0.1',
      port: 9291,
      adminPort: undefined,
      schema: undefined,
      workers: 3,
      connections: 16,
      bodyBytesMax: 16 * 1024 * 1024,
      headersBytesMax: 16 * 1024,
      expressionLengthMax: 65_536,
      nestingMax: 64,
      includeDepthMax: 8,
      planCacheEntries: 10_000,
      planCacheBytes: 64 * 1024 * 1024,
      statementTimeoutMs: 30_000,
      queueMax: 10_000,
      queueWaitMs: 5000,
      rowsMax: 0,
      preparedStatements: true,
      drainDelayMs: 0,
      drainTimeoutMs: 10_000,
      logLevel: 'info',
      httpServer: 'auto',
    });
  });

  it.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 3],
    [9, 8],
    [64, 8],
  ])('starts, on %i cores, %i workers', (cores, workers) => {
    expect(read([], {}, cores).workers).toBe(workers);
  });

  it.each([
    [256, 1],
    [1024, 2],
    [2048, 4],
    [65_536, 8],
  ])('starts, on 64 cores with %i MiB in a container, %i workers', (limit, workers) => {
    const host = { cores: 64, memoryBytes: limit * MIB };
    expect(readConfiguration({ argv: [], environment: {}, host }).workers).toBe(workers);
  });

  it.each([
    [undefined, 2, 2048],
    [2048, 2, 512],
    [2048, 8, 256],
    [65_536, 8, 2048],
    [256, 8, 128],
  ])(
    'gives, of %s MiB in a container, each of %i workers a heap of %i MiB',
    (limit, workers, heap) => {
      const host = { cores: 64, ...(limit !== undefined && { memoryBytes: limit * MIB }) };
      const argv = ['--workers', String(workers)];
      const { workerHeapBytesMax } = readConfiguration({ argv, environment: {}, host });
      expect(workerHeapBytesMax / MIB).toBe(heap);
    },
  );

  it('prefers flags to variables, and variables to defaults', () => {
    const environment = { ROWGATE_PORT: '2', PORT: '3' };
    expect(read(['--port', '1'], environment).port).toBe(1);
    expect(read(['--port=1'], environment).port).toBe(1);
    expect(read([], environment).port).toBe(2);
    expect(read([], { PORT: '3', HOST: '::' })).toMatchObject({ port: 3, host: '::' });
    expect(read([], { ROWGATE_PORT: '' }).port).toBe(9291);
  });

  it('takes an empty list as a setting, but no empty flag', () => {
    const environment = { ROWGATE_CORS_ORIGINS: 'https://page.example' };
    const readSettings = (settings: Settings) =>
      readConfiguration({ settings, argv: [], environment, host: { cores: 4 } });
    expect(readSettings({ corsOrigins: [], trustedProxies: [] })).toMatchObject({
      corsOrigins: [],
      trustedProxies: [],
    });
    expect(readSettings({ trustedProxies: ['::1', '10.0.0.0/8'] })).toMatchObject({
      corsOrigins: ['https://page.example'],
      trustedProxies: ['::1', '10.0.0.0/8'],
    });
    for (const flag of ['--cors-origins', '--trusted-proxies']) {
      expect(() => read([flag, ''])).toThrow(flag);
    }
  });

  it('finds variables that are probably misspelt, but not those of others', () => {
    const others = ['ROWGATE_SHOP_DATABASE_URL', 'ROWGATE_PORT_9291_TCP', 'ROWGATE_SERVICE_HOST'];
    const known = ['ROWGATE_CONNECTIONS', 'ROWGATE_KEY', 'HOST', 'CONECTIONS'];
    const environment = Object.fromEntries([...others, ...known].map((name) => [name, 'x']));
    expect(misspeltVariables(environment)).toEqual([]);
    expect(misspeltVariables({ ...environment, ROWGATE_CONECTIONS: '5' })).toEqual([
      { variable: 'ROWGATE_CONECTIONS', similar: ['ROWGATE_CONNECTIONS'] },
    ]);
  });

  it('reads bytes with units, switches and words', () => {
    const flags = ['--body-max', '2MiB', '--prepared-statements', 'off', '--http-server', 'node'];
    expect(read(flags)).toMatchObject({
      bodyBytesMax: 2 * 1024 * 1024,
      preparedStatements: false,
      httpServer: 'node',
    });
  });

  it.each([
    [['--port', '65536'], {}, '--port: expected a whole number from 0 to 65535, got "65536"'],
    [['--port', '1.5'], {}, '--port: expected a whole number'],
    [['--write-stall-ms', '0'], {}, '--write-stall-ms: expected a whole number from 100 to'],
    [['--port', '-1'], {}, '--port: expected a whole number'],
    [[], { ROWGATE_ADMIN_PORT: 'x' }, 'ROWGATE_ADMIN_PORT: expected a whole number'],
    [['--port'], {}, '--port takes a value'],
    [[], { HOST: 'http://0.0.0.0' }, 'HOST: expected an address such as 0.0.0.0, got "http'],
    [['--host', '/run'], {}, '--host: expected an address such as 127.0.0.1, got "/run"'],
    [['--nope', '1'], {}, 'unknown flag --nope'],
    [['nope'], {}, 'unexpected argument nope'],
    [[], { ROWGATE_WORKERS: 'many' }, 'ROWGATE_WORKERS: expected a whole number'],
    [[], { ROWGATE_BODY_MAX: '1x' }, 'ROWGATE_BODY_MAX: expected bytes'],
    [[], { ROWGATE_PREPARED_STATEMENTS: 'maybe' }, 'expected on or off'],
    [[], { ROWGATE_LOG_LEVEL: 'loud' }, 'expected one of fatal, error'],
  ])('says what is wrong with %j %j', (argv, environment, message) => {
    expect(() => read(argv, environment)).toThrow(message);
  });

  it('has a flag, variable and unit for every option', () => {
    const described = allOptions();
    expect(described.find(([name]) => name === 'drainTimeoutMs')?.[1]).toMatchObject({
      unit: 'ms',
      flag: 'drain-timeout-ms',
      variables: ['ROWGATE_DRAIN_TIMEOUT_MS'],
      description: 'How long a shutdown waits for requests in flight.',
    });
    expect(new Set(described.map(([, { flag }]) => flag)).size).toBe(described.length);
  });
});
