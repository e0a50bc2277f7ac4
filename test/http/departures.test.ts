/** A client that leaves before or while its answer is sent: the request is counted and logged once, as 499. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeServers } from '../support/http-servers.js';
import { connectRaw, rawPost } from './raw-client.js';
import { postJson, type StartedGateway, startOnFakeWorker } from './start.js';
import { until } from './until.js';

/** More than the system accepts at once. */
const LARGE_BYTES = 16 << 20;
const FLAGS = ['--stream-window-bytes', '64MiB'];

describeServers('a request on %s', (server) => {
  let started: StartedGateway;
  beforeAll(async () => {
    started = await startOnFakeWorker(server, FLAGS);
  });
  afterAll(() => started.gateway.close());

  const statusesOf = (requestId: string) =>
    started.observations.flatMap((each) =>
      each.kind === 'request' && each.request.requestId === requestId ? [each.request.status] : [],
    );
  const counts = async () => {
    const text = await (await fetch(`${started.base}/metrics`)).text();
    const ofExecute = text.split('\n').filter((line) => line.includes('route="/execute"'));
    const all = ofExecute.find((line) => line.includes('_seconds_count'));
    const gone = ofExecute.find((line) => line.includes('status="499"'));
    return [all, gone].map((line) => Number(line?.split(' ').at(-1) ?? 0));
  };

  it.each([
    ['a whole answer', { large: LARGE_BYTES }],
    ['the last part of a stream', { stream: LARGE_BYTES }],
  ])('is counted and logged once if its client leaves during %s', async (kind, data) => {
    const [all = 0, gone = 0] = await counts();
    const id = `${server}-${kind.length}`;
    const client = await connectRaw(started.gateway.port);
    client.socket.once('data', () => client.socket.pause());
    const body = JSON.stringify({ query: 'Orders', data });
    client.send(rawPost('/execute', body, [`x-request-id: ${id}`]));
    await client.until((text) => text.startsWith('HTTP/1.1 200'));
    await until(() => started.gateway.counters().dispatcher.unanswered === 0);
    client.end();
    await until(() => statusesOf(id).length > 0);
    expect(await counts()).toEqual([all + 1, gone + 1]);
    expect(statusesOf(id)).toEqual([499]);
  });

  it.each([
    ['its body is incomplete', 20],
    ['its query runs', 0],
  ])('is counted and logged once if its client leaves while %s', async (kind, missing) => {
    // Creates the plan.
    await postJson(`${started.base}/execute`, { query: 'Orders' });
    const [all = 0, gone = 0] = await counts();
    const id = `${server}-${kind}`.replaceAll(' ', '-');
    const client = await connectRaw(started.gateway.port);
    const body = JSON.stringify({ query: 'Orders', data: { never: true } });
    const text = rawPost('/execute', body, [`x-request-id: ${id}`]);
    const sent = text.slice(0, text.length - missing);
    await new Promise((resolve) => client.socket.write(sent, resolve));
    if (missing === 0) await until(() => started.gateway.counters().dispatcher.unanswered === 1);
    client.end();
    await until(() => statusesOf(id).length > 0);
    expect(await counts()).toEqual([all + 1, gone + 1]);
    expect(statusesOf(id)).toEqual([499]);
  });

  it('is logged with its status if its client reads the whole answer', async () => {
    const data = { large: LARGE_BYTES };
    const headers = { 'content-type': 'application/json', 'x-request-id': 'whole' };
    const response = await postJson(
      `${started.base}/execute`,
      { query: 'Orders', data },
      { headers },
    );
    expect((await response.text()).length).toBe(LARGE_BYTES);
    await until(() => statusesOf('whole').length > 0);
    expect(statusesOf('whole')).toEqual([200]);
  });
});

it('a pipelined request on node gives its memory back if its client leaves before its turn', async () => {
  const flags = ['--stream-window-bytes', '256KiB', '--streams-max', '1MiB'];
  const { gateway, base } = await startOnFakeWorker('node', flags);
  const unanswered = () => gateway.counters().dispatcher.unanswered;
  const dispatched = () => gateway.counters().dispatcher.dispatched;
  // Creates the plan.
  await postJson(`${base}/execute`, { query: 'Orders' });
  const post = (data: object) => rawPost('/execute', JSON.stringify({ query: 'Orders', data }));
  // The rows of the second one are more than the window: the worker waits unless there is memory for them.
  const both = post({ never: true }) + post({ stream: 360 << 10 });
  for (let times = 0; times < 10; times += 1) {
    const client = await connectRaw(gateway.port);
    const before = dispatched();
    client.send(both);
    await until(() => dispatched() === before + 2);
    await until(() => unanswered() === 1);
    client.end();
    await until(() => unanswered() === 0);
  }
  await gateway.close();
});
