/** The other clients of a long run: they read what they know, count, and leave. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readAtSpeed } from '../../support/pausing-reader.js';
import { ANSWER_MS, type Scene } from './scene.js';
import { COUNTERS, type NamedRow, NOISE, POINTS, pointRow } from './world.js';

const POINT = 'points.filter(p=>p.id==id)';
const BYTES_PER_SECOND = 10_000;
/** The largest body is longer than one that a worker parses beside its other work. */
const BODY_BYTES_MAX = 3_000_000;

/** Point reads. */
export async function readPoints(scene: Scene): Promise<void> {
  while (!scene.isOver()) {
    const id = 1 + scene.random(POINTS);
    await scene.read('point', { query: POINT, data: { id } }, JSON.stringify([pointRow(id)]));
    await sleep(scene.random(8));
  }
}

/** Queries whose texts have never been sent. */
export async function readDistinct(scene: Scene, client: number): Promise<void> {
  for (let turn = 0; !scene.isOver(); turn += 1) {
    const id = 1 + scene.random(POINTS);
    const name = `x${client}y${turn}`;
    const query = `points.filter(p=>p.id==${id}).map(p=>({${name}: p.name}))`;
    await scene.read('distinct', { query }, JSON.stringify([{ [name]: pointRow(id).name }]));
    await sleep(scene.random(20));
  }
}

/** A query that reads all of the large table, and changes each text. */
export async function readExpensive(scene: Scene, rows: readonly NamedRow[]): Promise<void> {
  const query = 'noise.filter(p=>length(replace(p.name,"a","bb"))>=letters).count()';
  const lengths = rows.map(({ name }) => name.length + name.split('a').length - 1);
  while (!scene.isOver()) {
    const letters = 2048 + scene.random(400);
    const count = lengths.filter((length) => length >= letters).length;
    await scene.read('expensive', { query, data: { letters } }, JSON.stringify([{ count }]));
    await sleep(scene.random(400));
  }
}

/** Point reads with large bodies, of which the query needs one number. */
export async function readWithLargeBodies(scene: Scene): Promise<void> {
  while (!scene.isOver()) {
    const id = 1 + scene.random(POINTS);
    const size = scene.random(BODY_BYTES_MAX);
    const unused = scene.random(2) === 0 ? 'x"'.repeat(size / 3) : 'ä'.repeat(size / 2);
    const asked = { query: POINT, data: { id, unused } };
    await scene.read('large body', asked, JSON.stringify([pointRow(id)]));
    await sleep(300 + scene.random(700));
  }
}

/** Reads large answers slowly for some time, then the rest, and compares every byte. */
export async function readSlowly(
  scene: Scene,
  expected: Buffer,
  query: string,
  slowMsMax: number,
): Promise<void> {
  const body = JSON.stringify({ query });
  const read = { port: scene.port, method: 'POST', path: '/execute', body, expected };
  while (!scene.isOver()) {
    const begin = performance.now();
    const forMs = scene.random(slowMsMax);
    const hung = new AbortController();
    const reading = readAtSpeed(read, { bytesPerSecond: BYTES_PER_SECOND, forMs }).then(
      () => 'whole',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    const limit = sleep(forMs + 2 * ANSWER_MS, 'hung', { signal: hung.signal }).catch(() => 'over');
    const result = await Promise.race([reading, limit]);
    hung.abort();
    if (result === 'whole') scene.count('slow reader 200');
    else if (/^refused with 50[34]$/.test(result)) scene.count(`slow reader ${result}`);
    else if (result === 'hung' || result.startsWith('A wrong byte')) {
      scene.wrong(`slow reader: ${result}`);
    } else scene.lost('slow reader', begin, result);
    await sleep(200 + scene.random(1000));
  }
}

/** Announces the largest body, sends it byte by byte, and leaves. Several of them must not keep others out. */
export async function uploadSlowly(scene: Scene): Promise<void> {
  const head = `POST /execute HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`;
  while (!scene.isOver()) {
    const socket = connect(scene.port, '127.0.0.1').on('error', () => undefined);
    socket.write(`${head}content-length: ${16 << 20}\r\n\r\n{`);
    const until = performance.now() + scene.random(20_000);
    while (performance.now() < until && !socket.destroyed && !scene.isOver()) {
      socket.write(' ');
      await sleep(500);
    }
    socket.destroy();
    scene.count('slow upload left');
    await sleep(scene.random(500));
  }
}

/** Clients that disconnect at random moments. */
export async function leaveEarly(scene: Scene): Promise<void> {
  const queries = [
    'noise',
    POINT,
    'points',
    'hot',
    'noise.filter(p=>p.id<=100)',
    'noise.sort(p=>p.name)',
  ];
  while (!scene.isOver()) {
    const query = queries[scene.random(queries.length)] ?? '';
    await scene.ask('leaver', { query, data: { id: 1 }, leaveMs: scene.random(300) });
  }
}

/** Counts in the table that is locked again and again, and reads what was counted. */
export interface Counting {
  run(scene: Scene): Promise<void>;
  /** Whether these rows can be the counters at the end. */
  faults(rows: readonly Readonly<Record<string, unknown>>[]): readonly string[];
}

export function createCounting(): Counting {
  /** For each counter, how often it was increased for certain, and at most. */
  const least = Array.from({ length: COUNTERS + 1 }, () => 0);
  const most = Array.from({ length: COUNTERS + 1 }, () => 0);
  const increase = async (scene: Scene, id: number): Promise<void> => {
    most[id] = (most[id] ?? 0) + 1;
    const query = 'hot.update(p=>({counter: p.counter+1})).filter(p=>p.id==id)';
    const outcome = await scene.ask('counter', { query, data: { id } });
    if (outcome.kind === 'cut') return;
    if (outcome.status === 200) {
      least[id] = (least[id] ?? 0) + 1;
      if (outcome.text !== '1') scene.wrong(`an update of one row is ${outcome.text}`);
    } else if (outcome.isRefusal) most[id] = (most[id] ?? 0) - 1;
  };
  const read = async (scene: Scene, id: number): Promise<void> => {
    const from = least[id] ?? 0;
    const asked = { query: 'hot.filter(p=>p.id==id).map(p=>p.counter)', data: { id } };
    const outcome = await scene.ask('counted', asked);
    if (outcome.kind === 'cut') return;
    if (outcome.status !== 200) return;
    const value = Number(/^\[\{"counter":(\d+)\}\]$/.exec(outcome.text)?.[1]);
    if (!(value >= from)) scene.wrong(`counter ${id} is ${outcome.text}, not ${from} or more`);
  };
  return {
    run: async (scene) => {
      while (!scene.isOver()) {
        const id = 1 + scene.random(COUNTERS);
        await (scene.random(2) === 0 ? increase(scene, id) : read(scene, id));
        await sleep(scene.random(20));
      }
    },
    faults: (rows) =>
      rows.flatMap(({ id, counter }) => {
        const [from = 0, to = 0] = [least[Number(id)], most[Number(id)]];
        if (Number(counter) >= from && Number(counter) <= to) return [];
        return [`counter ${String(id)} is ${String(counter)}, not ${from} to ${to}`];
      }),
  };
}

/** The answers of the slow readers: one that fits into the memory for an answer, and one that does not. */
export function slowAnswers(rows: readonly NamedRow[]): readonly (readonly [string, Buffer])[] {
  const half = NOISE / 2;
  return [
    ['noise', Buffer.from(JSON.stringify(rows))],
    [`noise.filter(p=>p.id<=${half})`, Buffer.from(JSON.stringify(rows.slice(0, half)))],
  ];
}
