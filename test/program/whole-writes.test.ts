/**
 * Writes whose client closes its side or sends another request before the answer: each write is either
 * answered or not stored.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectRaw, rawPost } from '../http/raw-client.js';
import { describeServers } from '../support/http-servers.js';
import { type Program, rowsOf } from '../support/program.js';
import { type StreamsFixture, startStreamsFixture } from './streams-fixture.js';

const TRIES = 40;
/** Makes each expression unique. */
let written = 0;

let fixture: StreamsFixture;
beforeAll(async () => {
  fixture = await startStreamsFixture();
});
afterAll(() => fixture.stop());

describeServers('the program on %s', (httpServer) => {
  let program: Program;
  beforeAll(async () => {
    program = await fixture.start(['--http-server', httpServer]);
  });
  afterAll(() => program.stop());

  const post = (path: string, body: unknown) =>
    rawPost(path, JSON.stringify(body), ['content-type: application/json']);

  /** Requests that store a name, one for each kind of write. */
  const writes: Readonly<Record<string, (name: string) => string>> = {
    'an insert': (name) => post('/execute', { query: 'Notes.insert()', data: { name } }),
    'a transaction': (name) => post('/transaction', [{ query: 'Notes.insert()', data: { name } }]),
    'an insert whose plan is not cached': (name) =>
      post('/execute', { query: `Notes.insert()${' '.repeat(++written)}`, data: { name } }),
    'an import': (name) =>
      post('/stages/default/import', { entities: [{ entity: 'Notes', rows: [{ name }] }] }),
  };

  const storedOf = async (name: string) =>
    rowsOf(program, 'Notes.filter(p=>p.name==name).count()', { name });

  describe.each(Object.keys(writes))('%s', (kind) => {
    const write = (name: string) => writes[kind]?.(name) ?? '';
    /** Opens the database connections, which may take longer than the server waits for the client. */
    const warmUp = async () => {
      const client = await connectRaw(program.port);
      client.send(write('first'));
      await client.until((text) => text.startsWith('HTTP/1.1 200 '), 20_000);
      client.end();
    };

    test('is answered and stored although its client closes its side', async () => {
      const name = `half ${httpServer} ${kind}`;
      await warmUp();
      for (let at = 1; at <= TRIES; at += 1) {
        const client = await connectRaw(program.port);
        client.send(write(name));
        client.socket.end();
        expect(await client.closed()).toMatch(/^HTTP\/1\.1 200 /);
        expect(await storedOf(name)).toEqual([{ count: at }]);
      }
    });

    test('that is followed by other bytes is not stored, and leaves nothing behind', async () => {
      const name = `bytes ${httpServer} ${kind}`;
      for (const request of [
        write(name),
        post('/stages/default/import', { entities: [{ x: 1 }] }),
      ]) {
        // More than the connections of the program.
        for (let at = 1; at <= TRIES; at += 1) {
          const client = await connectRaw(program.port);
          client.send(`${request}no HTTP\r\n\r\n`);
          client.socket.end();
          await client.closed();
        }
      }
      await warmUp();
      expect(await storedOf(name)).toEqual([{ count: 0 }]);
    });

    test('that is followed by another request is stored only if it is answered', async () => {
      const name = `behind ${httpServer} ${kind}`;
      let answered = 0;
      for (let at = 1; at <= TRIES; at += 1) {
        const client = await connectRaw(program.port);
        client.send(write(name) + post('/execute', { query: 'Notes.count()' }));
        const text = await client
          .until((all) => all.split('HTTP/1.1 200').length > 2)
          .catch(() => client.received());
        if (text.startsWith('HTTP/1.1 200 ')) answered += 1;
        client.end();
      }
      expect(await storedOf(name)).toEqual([{ count: answered }]);
      expect(answered).toBe(httpServer === 'uws' ? 0 : TRIES);
    });
  });
});
