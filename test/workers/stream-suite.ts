/**
 * Large answers: in parts, no faster than the reader takes them, and in limited memory, on every
 * database.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createCancellation } from '../../src/workers/cancellation.js';
import { Answer } from '../../src/workers/execute/answer.js';
import { execute, readData } from '../../src/workers/execute/execute-read.js';
import { ReadyPlan } from '../../src/workers/plans.js';
import type { Fixture } from './fixture.js';

const MEBIBYTE = 1 << 20;

export interface StreamingOptions {
  readonly fixture: () => Pick<Fixture, 'withWorker'>;
  /** The hash of the answer to `Many`. */
  readonly manyHash: () => Promise<string>;
  /** The SQLSTATE of the error after the first rows of `Broken`. */
  readonly brokenBy: string;
}

export function testStreaming({ fixture, manyHash, brokenBy }: StreamingOptions): void {
  test('a large answer arrives in parts, with every byte', () =>
    fixture().withWorker({}, async (gateway) => {
      const { text, parts } = await gateway.execute('Many');
      expect(createHash('sha256').update(text).digest('hex')).toBe(await manyHash());
      expect(parts).toBeGreaterThan(100);
    }));

  test('a slow reader slows down the rows, and memory does not grow', () =>
    fixture().withWorker({ streamWindowBytes: 256 * 1024 }, async (gateway) => {
      await gateway.execute('Many');
      const hash = createHash('sha256');
      const before = process.memoryUsage().rss;
      let [bytes, most, parts] = [0, 0, 0];
      const onPart = async (part: Uint8Array): Promise<void> => {
        hash.update(part);
        bytes += part.byteLength;
        parts += 1;
        if (parts % 8 === 0) await sleep(10);
        most = Math.max(most, process.memoryUsage().rss);
      };
      await gateway.execute('Many', { onPart });
      expect(hash.digest('hex')).toBe(await manyHash());
      expect(bytes).toBeGreaterThan(15 * MEBIBYTE);
      expect(most - before).toBeLessThan(48 * MEBIBYTE);
    }));

  test('only the window is in flight while a reader takes nothing', () =>
    fixture().withWorker({ streamWindowBytes: 256 * 1024 }, async (gateway) => {
      let bytes = 0;
      let go = (): void => undefined;
      const gate = new Promise<void>((resolve) => {
        go = resolve;
      });
      await gateway.compile('Many');
      const { received } = gateway.start('Many', {
        onPart: (part) => {
          bytes += part.byteLength;
          return gate;
        },
      });
      await expect.poll(() => bytes).toBeGreaterThan(256 * 1024);
      // Other clients are served meanwhile, and nothing more of the held answer arrives.
      for (let id = 1; id <= 200; id += 1) await gateway.rows('Points.filter(p=>p.id==id)', { id });
      expect(bytes).toBeLessThan(2 * MEBIBYTE);
      go();
      await received;
      expect(bytes).toBeGreaterThan(15 * MEBIBYTE);
    }));

  test('readers that read nothing leave a connection to others, even if their first answers are streamed', () =>
    fixture().withWorker({ connectionsPerSource: 4, connectionWaitMs: 30_000 }, async (gateway) => {
      let go = (): void => undefined;
      const gate = new Promise<void>((resolve) => {
        go = resolve;
      });
      const query = 'Many.filter(p=>p.id>0)';
      await gateway.compile(query);
      const hashes = [1, 2, 3].map(async () => {
        const hash = createHash('sha256');
        const onPart = (part: Uint8Array): Promise<void> => {
          hash.update(part);
          return gate;
        };
        await gateway.start(query, { onPart }).received;
        return hash.digest('hex');
      });
      for (let id = 1; id <= 10; id += 1) {
        expect(await gateway.rows(`Points.filter(p=>p.id==${id}).map(p=>p.id)`)).toEqual([{ id }]);
      }
      go();
      const whole = await manyHash();
      expect(await Promise.all(hashes)).toEqual([whole, whole, whole]);
    }));

  test('an answer that turned out large is streamed, even if a small one of its plan ended meanwhile', () =>
    fixture().withWorker({ connectionsPerSource: 4 }, async (gateway, { context }) => {
      const ready = new ReadyPlan(await gateway.compile('Many'), context.cipher);
      const hash = createHash('sha256');
      const answer: Answer = new Answer(
        0,
        {
          send: (reply) => void (reply.type === 'part' && hash.update(reply.bytes)),
          sendWhole: (_, bytes) => void hash.update(bytes),
        },
        Number.POSITIVE_INFINITY,
      );
      const { pool } = context.sources.get(ready.plan.root.source);
      const cancellation = createCancellation();
      // The connections that slow readers may hold.
      const held = [await pool.takeLong(cancellation), await pool.takeLong(cancellation)];
      const values = readData(ready, undefined, undefined);
      const onStreamed = (): void => {
        // As at the end of a small answer.
        ready.isStreamed = false;
      };
      const task = { ready, values, form: 'compact', answer, cancellation } as const;
      const executed = execute(context, { ...task, onStreamed });
      let failure: unknown;
      executed.catch((error: unknown) => {
        failure = error;
      });
      try {
        const state = (): unknown => failure ?? pool.use.waiters.length;
        await expect.poll(state, { timeout: 10_000 }).toBe(1);
      } finally {
        for (const connection of held) pool.give(connection, true);
      }
      await executed;
      answer.end();
      expect(hash.digest('hex')).toBe(await manyHash());
    }));

  test('the time in which a reader takes nothing does not count for the statement', () =>
    fixture().withWorker({ statementTimeoutMs: 2000, streamWindowBytes: 1024 }, async (gateway) => {
      let parts = 0;
      const onPart = async (): Promise<void> => {
        parts += 1;
        if (parts === 1) await sleep(3000);
      };
      await expect(gateway.execute('Many', { onPart })).resolves.toBeDefined();
    }));

  test('a statement may send rows for longer than its time limit', () =>
    fixture().withWorker({ statementTimeoutMs: 1500 }, async (gateway) => {
      // The first answer has a connection of its own, and the second one begins on a shared one.
      for (let times = 0; times < 2; times += 1) {
        const { text } = await gateway.execute('Steady');
        expect(JSON.parse(text)).toHaveLength(30);
      }
      await expect(gateway.execute('Slow')).rejects.toMatchObject({
        problem: { code: 'statement-timeout' },
      });
    }));

  test('an error after the first part cuts the answer', () =>
    fixture().withWorker({}, async (gateway) => {
      const answer = gateway.execute('Broken');
      await expect(answer).rejects.toMatchObject({
        problem: { code: 'evaluation-failed', sqlstate: brokenBy },
        afterParts: true,
      });
      expect(await gateway.rows('Points.filter(p=>p.id==1)')).toHaveLength(1);
    }));

  test('more rows than allowed are an error, and the rest is not requested', () =>
    fixture().withWorker({ rowsMax: 10, connectionsPerSource: 1 }, async (gateway) => {
      for (const query of ['Many', 'Orders.include(p=>p.details)']) {
        await expect(gateway.execute(query)).rejects.toMatchObject({
          problem: { code: 'rows-over-limit' },
        });
      }
      expect(await gateway.rows('Points.filter(p=>p.id==1)')).toHaveLength(1);
    }));
}
