/** Watches what must not grow: memory, open files, connections, and what the database keeps for them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { residentBytes } from '../../program/large-fixture.js';
import type { OwnDatabase } from './database.js';
import { handlesOf, type SupervisedGateway } from './gateway.js';
import type { Scene } from './scene.js';

const EVERY_MS = 1000;
/** In a shorter time, connections of a killed gateway end and the first large answers arrive. */
const SAMPLES_MIN = 60;
/**
 * Before so many samples, memory still fills: answers are kept for slow readers of each generation that a reload left,
 * as many as they may, and heaps of workers reach their size.
 */
const SAMPLES_FILLING = 600;
const FILLING = 384 << 20;
const MIB = 1 << 20;

interface Sample {
  /** The gateway's process; samples of others are not compared with it. */
  readonly pid: number;
  readonly memory: number;
  readonly handles: number;
  readonly connections: number;
  readonly kept: number;
}

type Measured = Exclude<keyof Sample, 'pid'>;

export interface Growth {
  /** The latest figures, for the report. */
  describe(): string;
  /** What has grown in the last gateway's life: its last third is compared with the one before it. Undefined if it was too short. */
  faults(): readonly string[] | undefined;
}

/** Measures until the scene is over. As many as `connectionsMargin` connections may come and go. */
export function watchGrowth(
  scene: Scene,
  gateway: SupervisedGateway,
  database: OwnDatabase,
  connectionsMargin: number,
): Growth & { readonly ended: Promise<void> } {
  const samples: Sample[] = [];
  const measure = (): Promise<void> =>
    database
      .withSession(async (query) => {
        const { length: connections } = await database.sessions(query);
        const kept = await database.kept(query);
        const { current } = gateway;
        const [memory, handles] = [residentBytes(current), handlesOf(current)];
        if (memory > 0) samples.push({ pid: current.pid, memory, handles, connections, kept });
      })
      .catch(() => undefined);
  const ended = (async () => {
    while (!scene.isOver()) {
      await measure();
      await sleep(EVERY_MS);
    }
  })();
  const isInBytes = (what: Measured) => what === 'memory' || database.keptUnit.startsWith('bytes');
  const text = (what: Measured, value: number) =>
    isInBytes(what) && what !== 'handles' && what !== 'connections'
      ? `${Math.round(value / MIB)} MiB`
      : String(value);
  const names: Readonly<Record<Measured, string>> = {
    memory: 'memory',
    handles: 'handles',
    connections: 'connections',
    kept: database.keptUnit,
  };
  /** Growth that is none: caches fill, and connections open and close. */
  const margins: Readonly<Record<Measured, number>> = {
    memory: 128 * MIB,
    handles: 100,
    connections: connectionsMargin,
    kept: database.keptUnit.startsWith('bytes') ? 32 * MIB : 500,
  };
  const measured = ['memory', 'handles', 'connections', 'kept'] as const;
  return {
    ended,
    describe: () => {
      const last = samples.at(-1);
      return last
        ? measured.map((what) => `${names[what]} ${text(what, last[what])}`).join(', ')
        : '';
    },
    faults: () => {
      const own = samples.filter(({ pid }) => pid === gateway.current.pid);
      if (own.length < SAMPLES_MIN) return undefined;
      const third = Math.floor(own.length / 3);
      return measured.flatMap((what) => {
        const most = (part: readonly Sample[]) => Math.max(...part.map((each) => each[what]));
        const [before, after] = [most(own.slice(third, 2 * third)), most(own.slice(2 * third))];
        scene.count(`${names[what]}: ${text(what, before)} and then ${text(what, after)} at most`);
        const { connections } = own.at(-1) ?? { connections: 0 };
        const isFilling = what === 'memory' && own.length < SAMPLES_FILLING;
        const margin = isFilling ? FILLING : margins[what];
        const limit = what === 'kept' ? (database.keptMax ?? 0) * connections : 0;
        return after <= Math.max(limit, 1.1 * before + margin)
          ? []
          : [`${names[what]} grew from ${text(what, before)} to ${text(what, after)}`];
      });
    },
  };
}
