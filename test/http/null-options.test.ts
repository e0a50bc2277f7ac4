import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeServers } from '../support/http-servers.js';
import { type StartedGateway, startOnFakeWorker } from './start.js';

describeServers('an option that is null on %s', (server) => {
  let started: StartedGateway;
  beforeAll(async () => {
    started = await startOnFakeWorker(server);
  });
  afterAll(() => started.gateway.close());

  const options = { stage: null, view: null, count: null, headers: null, tryAllCan: null };
  const steps = [{ query: 'Q', options: { stage: null, view: null } }];
  const mode = { stage: 'default', isolation: null, readOnly: null };

  it.each([
    ['/execute', { query: 'Q', options }],
    ['/plan', { query: 'Q', options: JSON.stringify(options) }],
    ['/execute', { query: 'Q', options: 'null', view: null }],
    ['/transaction', { steps, options: mode }],
  ])('counts as absent in %s', async (path, body) => {
    const response = await fetch(`${started.base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
  });
});
