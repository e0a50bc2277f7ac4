/** Large bodies that arrive together do not slow other clients down, and their memory is freed. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeServers } from '../support/http-servers.js';
import { LOOSER } from '../support/looser.js';
import { type Answer, ask, type Program, post, rowsOf, until } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

const MIB = 1 << 20;
const BODIES = 20;
/** The longest delay that other clients may notice. */
const PING_MS = 50 * LOOSER;
const READ_MS = 200 * LOOSER;
/** From Node.js 24 on, the garbage collector leaves more. */
const RESIDENT_MIB = Number(process.versions.node.split('.')[0]) < 24 ? 1024 : 1280;

let sample: SampleServer;
beforeAll(async () => {
  sample = await startSampleServer();
});
afterAll(() => sample.stop());

const POINT = 'Orders.filter(p=>p.id==id).map(p=>p.customerId)';
const LISTED = 'Orders.filter(p=>in(p.id,ids)).map(p=>p.id)';
const TEXT = 'Customers.filter(p=>p.name==text).map(p=>p.id)';

/** Lists and texts that fill a body of 16 MiB. */
const shapes: Readonly<Record<string, () => string>> = {
  objects: () => bodyOf(LISTED, `{"ids":[${'{},'.repeat((16 * MIB) / 3 - 100)}{}]}`),
  'small integers': () => bodyOf(LISTED, `{"ids":[${'1,'.repeat(8 * MIB - 100)}1]}`),
  'a long text': () => bodyOf(TEXT, JSON.stringify(`{"text":"${'x'.repeat(16 * MIB - 300)}"}`)),
};

function bodyOf(query: string, data: string): string {
  return `{"query":${JSON.stringify(query)},"data":${data}}`;
}

describeServers('the program on %s', (httpServer) => {
  test(`serves others while ${BODIES} bodies of 16 MiB arrive at once`, async () => {
    const flags = ['--http-server', httpServer];
    // A program that receives no bodies shows how fast the machine is.
    const [program, idle] = [await sample.start(flags), await sample.start(flags)];
    for (const each of [program, idle]) await rowsOf(each, POINT, { id: 1 });
    const pings: number[] = [];
    const reads: number[] = [];
    const idlePings: number[] = [];
    const idleReads: number[] = [];
    let isOver = false;
    let resident = 0;
    const repeat = async (times: number[], request: () => Promise<Answer>): Promise<void> => {
      while (!isOver) {
        const begin = performance.now();
        expect((await request()).status).toBe(200);
        times.push(performance.now() - begin);
        resident = Math.max(resident, residentMib(program));
        await sleep(2);
      }
    };
    const others = [
      repeat(pings, () => ask(program, '/ping')),
      repeat(reads, () => post(program, '/execute', { query: POINT, data: { id: 1 } })),
      repeat(idlePings, () => ask(idle, '/ping')),
      repeat(idleReads, () => post(idle, '/execute', { query: POINT, data: { id: 1 } })),
    ];
    const bodies = Object.values(shapes).map((make) => Buffer.from(make()));
    const headers = { 'content-type': 'application/json' };
    const answers = await Promise.all(
      Array.from({ length: BODIES }, (_, at) => {
        const body = bodies[at % bodies.length] ?? null;
        return ask(program, '/execute', { method: 'POST', headers, body });
      }),
    );
    isOver = true;
    await Promise.all(others);
    for (const { status } of answers) expect([200, 400, 503]).toContain(status);
    expect(answers.some(({ status }) => status !== 503)).toBe(true);
    expect(percentile99(pings)).toBeLessThan(PING_MS + percentile99(idlePings));
    expect(percentile99(reads)).toBeLessThan(READ_MS + percentile99(idleReads));
    expect(resident).toBeLessThan(RESIDENT_MIB);
    const given = () => residentMib(program) < RESIDENT_MIB / 2;
    await until('the memory is given back', given, 40_000);
    for (const each of [program, idle]) expect(await each.stop()).toBe(0);
  });
});

function residentMib({ pid }: Program): number {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}

function percentile99(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.floor(0.99 * sorted.length)] ?? Number.NaN;
}
