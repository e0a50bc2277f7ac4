/**
 * A proxy between a gateway and its database with faults of networks and peers. It forwards bytes in
 * order; what a fault changes is named by its kind.
 */
import { once } from 'node:events';
import net from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { corruptLength, type Framing, FrameCutter } from './frames.js';

export const faultKinds = [
  /** Each chunk of one direction arrives late for a while. */
  'latency',
  /** Nothing passes in one direction for up to some seconds. */
  'stall',
  'reset',
  /** Nothing passes any more, and neither side is told, not even that the other has gone. */
  'half-open',
  /** Each byte arrives alone for a while. */
  'slices',
  /** A part of a frame is the last that arrives before the end. */
  'truncated',
  /** A frame of the database has a wrong length. */
  'corrupted',
] as const;

export type FaultKind = (typeof faultKinds)[number];

export interface FaultProxy {
  readonly port: number;
  /** How many faults of each kind have taken effect. */
  readonly counts: ReadonlyMap<FaultKind, number>;
  /** Applies a fault to one of the live connections, from its given frame on, if there is one. */
  inject(kind: FaultKind, frame?: number): void;
  /** Applies a fault to the next connection, from its given frame on. */
  injectNext(kind: FaultKind, frame: number): void;
  close(): Promise<void>;
}

export interface FaultProxyOptions {
  readonly target: { readonly host: string; readonly port: number };
  readonly framing: Framing;
  /** A number from 0 to below `below`. */
  readonly random: (below: number) => number;
}

type Options = Pick<FaultProxyOptions, 'framing' | 'random'>;

const LATENCY_MS_MAX = 40;
const STALL_MS_MAX = 3000;
const LATE_CHUNKS_MAX = 20;
const SLICED_BYTES_MAX = 2000;

/** The way of bytes from one side to the other. */
interface Way {
  /** How many chunks will still be late. */
  late: number;
  stallMs: number;
  /** How many bytes will still arrive alone. */
  sliced: number;
}

interface Link {
  readonly client: net.Socket;
  readonly server: net.Socket;
  readonly toServer: Way;
  readonly toClient: Way;
  readonly cutter: FrameCutter;
  /** Notes that a fault has taken effect. */
  readonly count: (kind: FaultKind) => void;
  isHalfOpen: boolean;
  /** The fault of the next frame, or of the frame after so many others. */
  ofFrame: { readonly kind: 'truncated' | 'corrupted'; skip: number } | undefined;
}

export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { target, framing, random } = options;
  const links = new Set<Link>();
  const counts = new Map<FaultKind, number>();
  const next: { readonly kind: FaultKind; readonly frame: number }[] = [];
  const count = (kind: FaultKind) => void counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const listener = net.createServer((client) => {
    const server = net.connect(target.port, target.host);
    const way = (): Way => ({ late: 0, stallMs: 0, sliced: 0 });
    const ends = { client, server, toServer: way(), toClient: way() };
    const cutter = new FrameCutter(framing);
    const link: Link = { ...ends, cutter, count, isHalfOpen: false, ofFrame: undefined };
    links.add(link);
    client.on('close', () => links.delete(link));
    connect(link, options);
    const fault = next.shift();
    if (fault) apply(link, fault.kind, fault.frame, random);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    counts,
    inject: (kind, frame = 0) => {
      const live = [...links].filter(({ isHalfOpen }) => !isHalfOpen);
      const link = live[random(live.length)];
      if (link) apply(link, kind, frame, random);
    },
    injectNext: (kind, frame) => void next.push({ kind, frame }),
    close: async () => {
      for (const link of links) reset(link);
      listener.close();
      await once(listener, 'close');
    },
  };
}

function apply(link: Link, kind: FaultKind, skip: number, random: Options['random']): void {
  const way = random(2) === 0 ? link.toServer : link.toClient;
  if (kind === 'truncated' || kind === 'corrupted') {
    link.ofFrame ??= { kind, skip };
    return;
  }
  link.count(kind);
  if (kind === 'latency') way.late = 1 + random(LATE_CHUNKS_MAX);
  if (kind === 'stall') way.stallMs = random(STALL_MS_MAX);
  if (kind === 'slices') way.sliced = 1 + random(SLICED_BYTES_MAX);
  if (kind === 'half-open') link.isHalfOpen = true;
  if (kind === 'reset') reset(link);
}

function connect(link: Link, options: Options): void {
  const { client, server } = link;
  for (const socket of [client, server]) {
    socket.setNoDelay();
    socket.on('error', () => socket.destroy());
  }
  client.on('close', () => server.destroy());
  // A socket that is destroyed while it is read ends the other one.
  void forward(link, link.toServer, options).catch(() => server.destroy());
  void forward(link, link.toClient, options).catch(() => {
    if (!link.isHalfOpen) client.destroy();
  });
}

async function forward(link: Link, way: Way, options: Options): Promise<void> {
  const isAnswer = way === link.toClient;
  const [from, to] = isAnswer ? [link.server, link.client] : [link.client, link.server];
  for await (const chunk of from) {
    let bytes: Buffer = chunk;
    let isLast = false;
    if (isAnswer) ({ bytes, isLast } = withFault(link, link.cutter.whole(bytes), options));
    const sent = link.isHalfOpen ? 0 : await sendSlowly(way, bytes, to, options.random);
    // The bytes are still read, so that the end of the gateway's side is noticed.
    if (link.isHalfOpen) continue;
    if (!to.write(bytes.subarray(sent)) && to.writable) {
      await Promise.race([once(to, 'drain'), once(to, 'close')]);
    }
    if (isLast) break;
  }
  if (!link.isHalfOpen) to.end();
}

/** The bytes as they arrive, after a fault of one of their frames; `isLast`: the connection ends then. */
function withFault(
  link: Link,
  bytes: Buffer,
  { framing, random }: Options,
): { readonly bytes: Buffer; readonly isLast: boolean } {
  const frames = link.cutter.take(bytes);
  const fault = link.ofFrame;
  if (!fault) return { bytes, isLast: false };
  const frame = frames[fault.skip];
  fault.skip -= Math.min(fault.skip, frames.length);
  if (!frame) return { bytes, isLast: false };
  link.ofFrame = undefined;
  link.count(fault.kind);
  if (fault.kind === 'corrupted') {
    const changed = Buffer.from(bytes);
    corruptLength(framing, changed, frames.slice(frames.indexOf(frame)), random);
    return { bytes: changed, isLast: false };
  }
  return { bytes: bytes.subarray(0, frame.start + 1 + random(frame.size - 1)), isLast: true };
}

/** Waits, and sends the first bytes one by one; returns how many these are. */
async function sendSlowly(
  way: Way,
  bytes: Buffer,
  to: net.Socket,
  random: Options['random'],
): Promise<number> {
  if (way.late > 0) await sleep(1 + random(LATENCY_MS_MAX));
  way.late = Math.max(0, way.late - 1);
  if (way.stallMs > 0) await sleep(way.stallMs);
  way.stallMs = 0;
  const alone = Math.min(way.sliced, bytes.length);
  way.sliced -= alone;
  for (let at = 0; at < alone && to.writable; at += 1) {
    to.write(bytes.subarray(at, at + 1));
    await nextTurn();
  }
  return alone;
}

function reset({ client, server }: Link): void {
  client.resetAndDestroy();
  server.resetAndDestroy();
}
