/**
 * The schema is reloaded again and again while clients send requests: each answer is that of one
 * schema, and no request is lost.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeServers } from '../support/http-servers.js';
import { ask, post, until } from '../support/program.js';
import { sampleDocument, sampleRows } from '../support/sample.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

const CLIENTS = 16;
const RELOADS = 4;

let server: SampleServer;
beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.stop());

/** The schema file of the sample; the second version has no telephone numbers. */
function document(isSecond: boolean): string {
  const text = JSON.stringify(sampleDocument(server.connection));
  if (!isSecond) return text;
  const [first = '', ...rest] = text.split('"name":"Shippers"');
  const shippers = rest.map((part) => part.replace(/,\{"name":"phone"[^}]*\}/, ''));
  return [first, ...shippers].join('"name":"Shippers"').replace('"1.0.0"', '"2.0.0"');
}

describeServers('a gateway on %s', (httpServer) => {
  test('a reload loses no request, and mixes no schemas', async () => {
    const schema = server.write(`${httpServer}.json`, document(false));
    const flags = ['--http-server', httpServer, '--schema', schema, '--workers', '1'];
    const program = await server.start(flags);
    const answers = new Map<string, number>();
    let isOver = false;
    const use = async (): Promise<void> => {
      while (!isOver) {
        const { status, text } = await post(program, '/execute', {
          query: 'Shippers.filter(p=>p.id==1)',
        });
        const answer = `${status} ${text}`;
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
      }
    };
    const reloading = async (): Promise<void> => {
      for (let times = 1; times <= RELOADS; times += 1) {
        const isSecond = times % 2 === 1;
        server.write(`${httpServer}.json`, document(isSecond));
        program.signal('SIGHUP');
        const version = isSecond ? '2.0.0' : '1.0.0';
        await until('it is in force', async () =>
          (await ask(program, '/schema/version')).text.includes(version),
        );
      }
      isOver = true;
    };
    try {
      await Promise.all([reloading(), ...Array.from({ length: CLIENTS }, use)]);
    } finally {
      isOver = true;
      expect(await program.stop()).toBe(0);
    }
    const [row] = sampleRows('Shippers');
    const { phone: _, ...short } = Object(row);
    const expected = [row, short].map((each) => `200 ${JSON.stringify([each])}`);
    expect([...answers.keys()].sort()).toEqual(expected.sort());
  }, 120_000);
});
