/** What goes wrong during a long run: locks, ended sessions, killed processes, stopped servers. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnDatabase } from './database.js';
import type { SupervisedGateway } from './gateway.js';
import type { OpenScene } from './scene.js';

const LOCK_MS_MIN = 50;
const LOCK_MS_MAX = 2000;
const DOWN_MS_MAX = 3000;

export interface Disturbed {
  readonly scene: OpenScene;
  readonly database: OwnDatabase;
  readonly gateway: SupervisedGateway;
  /** Until then, the gateway is killed; its successor then runs to the end. */
  readonly killUntil: number;
  /** Nothing crashes after this time. */
  readonly crashUntil: number;
  /** How long the run takes: short ones have shorter pauses between the crashes. */
  readonly forMs: number;
}

/** Locks the table of the counters again and again. */
export async function lockAgain({ scene, database }: Disturbed): Promise<void> {
  const [lock, unlock] = database.lockHot;
  while (!scene.isOver()) {
    await quietly(() =>
      database.withSession(async (query) => {
        await query(lock);
        scene.count('lock');
        await sleep(LOCK_MS_MIN + scene.random(LOCK_MS_MAX - LOCK_MS_MIN));
        await query(unlock);
      }),
    );
    await sleep(scene.random(LOCK_MS_MAX));
  }
}

/** Crashes everything, each kind at its own pace. */
export async function crashAgain(disturbed: Disturbed): Promise<void> {
  const { scene, database, gateway, killUntil, crashUntil, forMs } = disturbed;
  const again = async (everyMs: number, isOver: () => boolean, crash: () => Promise<unknown>) => {
    // A short run has each crash at least once or twice.
    const usual = Math.min(everyMs, forMs / 4);
    const end = () => scene.isOver() || performance.now() > crashUntil || isOver();
    while (!end()) {
      const until = performance.now() + usual / 2 + scene.random(usual);
      while (!end() && performance.now() < until) await sleep(100);
      if (!end()) await crash();
    }
  };
  const never = () => false;
  let turn = 0;
  const { crashes } = database;
  const endOneSession = () =>
    scene.crash('session', () =>
      quietly(() =>
        database.withSession(async (query) => {
          const sessions = await database.sessions(query);
          const session = sessions[scene.random(sessions.length)];
          if (session !== undefined) await database.endSession(query, session);
        }),
      ),
    );
  await Promise.all([
    again(
      40_000,
      () => performance.now() > killUntil,
      () => scene.crash('gateway', gateway.kill),
    ),
    again(60_000, never, () =>
      scene.crash('database', async () =>
        crashes[turn++ % crashes.length]?.(scene.random(DOWN_MS_MAX)),
      ),
    ),
    again(10_000, never, endOneSession),
    again(30_000, never, () =>
      scene.crash('worker', async () => gateway.current.signal('SIGUSR2')),
    ),
    again(5000, never, async () => {
      scene.count('reload');
      gateway.current.signal('SIGHUP');
    }),
  ]);
}

/** A session of the test may be the one that ends. */
async function quietly(work: () => Promise<unknown>): Promise<void> {
  await work().catch(() => sleep(100));
}
