/** Clients that write entries with their parts, and a check of what is stored at the end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { post, type Program } from '../../support/program.js';
import type { Query } from './database.js';
import type { Asked, Scene } from './scene.js';

/** What the client knows of an entry. */
interface Entry {
  readonly asked: Asked;
  readonly parts: number;
  state: 'sent' | 'stored' | 'refused';
  /** The first successful answer. */
  answer?: string;
}

/** All entries by their mark, which is unique. */
export type Ledger = Map<string, Entry>;

const PARTS_MAX = 5;
const PAUSE_MS = 10;
/** A body of this size is parsed by a worker. */
const LARGE_BYTES = 200_000;
/** How long a write is repeated. No outage is longer. */
const REPEATED_MS = 120_000;

/**
 * Writes entries with idempotency keys until the scene is over, each until it is stored. After the
 * outcomes `cut`, 503 and 504, the same request is sent again.
 */
export async function writeKeyed(scene: Scene, ledger: Ledger, client: number): Promise<void> {
  for (let turn = 0; !scene.isOver(); turn += 1) {
    const mark = `keyed-${client}-${turn}`;
    const entry = newEntry(scene, mark, turn % 2 === 1, mark);
    ledger.set(mark, entry);
    const deadline = performance.now() + REPEATED_MS;
    for (let sent = 0; entry.answer === undefined; sent += 1) {
      if (sent > 0) scene.count('keyed repeated');
      const outcome = await scene.ask('keyed', entry.asked);
      if (outcome.kind === 'answer' && outcome.status === 200) entry.answer = outcome.text;
      if (performance.now() < deadline) continue;
      scene.wrong(`${mark} was sent ${sent + 1} times without success`);
      break;
    }
    if (entry.answer !== undefined) entry.state = 'stored';
    await sleep(scene.random(PAUSE_MS));
  }
}

/** Writes entries without keys. `leaves`: the client often disconnects before the answer. */
export async function writeUnkeyed(
  scene: Scene,
  ledger: Ledger,
  client: number,
  leaves: boolean,
): Promise<void> {
  const who = leaves ? 'leaving writer' : 'unkeyed';
  for (let turn = 0; !scene.isOver(); turn += 1) {
    const mark = `${leaves ? 'leaving' : 'unkeyed'}-${client}-${turn}`;
    const entry = newEntry(scene, mark, turn % 2 === 1, undefined);
    ledger.set(mark, entry);
    const asked = leaves ? { ...entry.asked, leaveMs: scene.random(20) } : entry.asked;
    const outcome = await scene.ask(who, asked);
    if (outcome.kind === 'answer' && outcome.status === 200) entry.state = 'stored';
    else if (outcome.kind === 'answer' && outcome.isRefusal) entry.state = 'refused';
    await sleep(scene.random(2 * PAUSE_MS));
  }
}

/** Reads entries that are stored for certain, with their parts. */
export async function readEntries(scene: Scene, ledger: Ledger): Promise<void> {
  const query = `entries.filter(p=>p.mark==mark).map(p=>({mark: p.mark}))
    .include(p=>p.parts.map(q=>({number: q.number})).sort(q=>q.number))`;
  while (!scene.isOver()) {
    const marks = [...ledger.keys()];
    const mark = marks[scene.random(marks.length)] ?? '';
    const entry = ledger.get(mark);
    if (entry?.state === 'stored') {
      const parts = Array.from({ length: entry.parts }, (_, at) => ({ number: at + 1 }));
      await scene.read('entry', { query, data: { mark } }, JSON.stringify([{ mark, parts }]));
    }
    await sleep(scene.random(2 * PAUSE_MS));
  }
}

/** One insert with its parts, or a transaction of two inserts. */
function newEntry(
  scene: Scene,
  mark: string,
  isTransaction: boolean,
  key: string | undefined,
): Entry {
  const parts = isTransaction ? 2 : scene.random(PARTS_MAX + 1);
  const large = scene.random(50) === 0 ? { unused: 'x'.repeat(LARGE_BYTES) } : {};
  const numbered = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({ number: from + at }));
  const query = 'entries.insert().include(p=>p.parts)';
  const keyed = key === undefined ? {} : { key };
  const asked = isTransaction
    ? {
        ...keyed,
        steps: [
          { query, data: { mark, parts: numbered(1, 1), ...large } },
          { query: 'parts.insert()', data: { entry: { $ref: '0.id' }, number: 2 } },
        ],
      }
    : { ...keyed, query, data: { mark, parts: numbered(1, parts), ...large } };
  return { asked, parts, state: 'sent' };
}

/** The faults of the stored entries: lost, stored twice, stored in part, or stored although refused. */
export async function ledgerFaults(ledger: Ledger, query: Query): Promise<readonly string[]> {
  const rows = await query(`SELECT e.mark AS mark, count(DISTINCT e.id) AS times,
      count(p.number) AS parts FROM entries e LEFT JOIN parts p ON p.entry = e.id GROUP BY e.mark`);
  const stored = new Map(rows.map((row) => [String(row['mark']), row]));
  const faults: string[] = [];
  for (const [mark, { parts, state }] of ledger) {
    const row = stored.get(mark);
    stored.delete(mark);
    if (!row) {
      if (state === 'stored') faults.push(`${mark} was acknowledged and is lost`);
    } else if (state === 'refused') {
      faults.push(`${mark} was refused and is stored`);
    } else if (Number(row['times']) !== 1 || Number(row['parts']) !== parts) {
      faults.push(
        `${mark} with ${parts} parts is stored ${String(row['times'])} times with ${String(row['parts'])}`,
      );
    }
  }
  return [...faults, ...[...stored.keys()].map((mark) => `${mark} was never sent`)];
}

/** At most as many as a gateway of the tests has connections. */
const REPEATED_MAX = 16;

/** Repeats some stored writes, whose answers must be the same as the first time. */
export async function repeatedFaults(
  ledger: Ledger,
  program: Program,
  count: number,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const keyed = [...ledger].filter(([, { asked }]) => asked.key !== undefined);
  for (const [mark, { asked, answer }] of keyed.slice(0, count)) {
    const path = asked.steps ? '/transaction' : '/execute';
    const body = asked.steps ?? { query: asked.query, data: asked.data };
    const ask = () => post(program, path, body, { 'idempotency-key': mark });
    // A connection of the pool may still be one that a fault has broken.
    let again = await ask();
    for (let times = 0; times < REPEATED_MAX && again.status === 503; times += 1)
      again = await ask();
    if (again.text !== answer) faults.push(`${mark} repeated: ${again.text}, not ${answer}`);
  }
  return faults;
}
