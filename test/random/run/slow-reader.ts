/** A slow reader gets the same bytes as a fast one. */
import { setTimeout as pause } from 'node:timers/promises';
import { openRequest } from '../../support/http-client.js';
import { parseAnswer } from '../judge/answered.js';
import type { Random } from '../random.js';
import { entityNamed } from '../world/domain.js';
import type { Step } from './round.js';

/** More than the buffers of the system hold. */
const BYTES = 12_000_000;
const LETTERS_MAX = 32_000;
const COLUMNS_MAX = 60;
const PAUSES = 6;
/** How long nothing is read at first, in milliseconds. */
const FIRST_PAUSE_MS = 150;

/** Reads a large answer twice at the same time, once with pauses and once without. */
export async function checkSlowReader({
  random,
  world,
  report,
  server,
  seed,
}: Step): Promise<void> {
  // Limited answers are buffered.
  if (world.hasLimits) return;
  const counts = [...world.tables].map(([name, rows]) => ({ name, count: rows.length }));
  const [largest] = counts.sort((a, b) => b.count - a.count);
  const entity = largest && entityNamed(world.domain, largest.name);
  if (!largest || !entity || largest.count === 0 || entity.primaryKey.length === 0) return;
  report.count('slow readers');
  const letters = Math.min(LETTERS_MAX, Math.ceil(BYTES / largest.count));
  const columns = Math.min(COLUMNS_MAX, Math.ceil(BYTES / largest.count / letters));
  const keys = entity.primaryKey.map((key) => `p.${key}`);
  const long = Array.from({ length: columns }, (_, at) => `x${at}: rpad("é", ${letters}, "aé")`);
  const query = `${entity.name}.map(p=>({${long.join(', ')}, k: ${keys[0]}})).sort(p=>[${keys.join(', ')}])`;
  const base = `http://127.0.0.1:${world.port}`;
  const [quick, slow] = await Promise.all([readAll(base, query), readAll(base, query, random)]);
  const isWhole = countOf(quick) === largest.count && quick.length > letters * largest.count;
  if (isWhole && quick.equals(slow)) return;
  report.fail({
    kind: 'slow reader',
    text: [
      query,
      `${largest.count} rows: ${countOf(quick)} of ${quick.length} bytes read quickly, ${slow.length} bytes slowly`,
      `on ${server.dialect}, seed ${seed}`,
    ].join('\n'),
  });
}

/** The bytes of an answer; for a truncated one, those that arrived. */
async function readAll(base: string, query: string, random?: Random): Promise<Buffer> {
  const { message } = await openRequest(base, '/execute', { body: { query } });
  const chunks: Buffer[] = [];
  let left = random ? PAUSES : 0;
  if (random) await pause(FIRST_PAUSE_MS);
  try {
    for await (const chunk of message) {
      chunks.push(Buffer.from(chunk));
      if (left > 0 && random?.chance(0.3)) {
        left -= 1;
        await pause(random.below(60));
      }
    }
  } catch {
    chunks.push(Buffer.from('cut'));
  }
  return Buffer.concat(chunks);
}

/** The number of rows; 0 if it is not a list. */
function countOf(bytes: Buffer): number {
  try {
    const rows = parseAnswer(bytes.toString());
    return Array.isArray(rows) ? rows.length : -1;
  } catch {
    return -1;
  }
}
