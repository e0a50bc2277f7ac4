/**
 * The time zone of the process does not change any answer: runs part of the table again, in zones where
 * the clocks change.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, test } from 'vitest';

const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Zones with their offset to UTC in summer, in minutes: clocks that change, half hours, a skipped day.
 */
const zones = [
  ['America/New_York', '240'],
  ['Asia/Kolkata', '-330'],
  ['Pacific/Apia', '-780'],
] as const;

describe('in the time zone', () => {
  test.concurrent.each(zones)('%s gives the same dates and times as UTC', async (zone, behind) => {
    const servers = JSON.stringify({
      embedded: inject('embedded'),
      mariadb: inject('mariadb'),
      uwsFault: inject('uwsFault'),
    });
    const words = ['run', 'test/language/cases.test.ts', '-t', 'dates|time zone'];
    const child = spawn(process.execPath, [vitest, ...words], {
      cwd: root,
      env: {
        ...process.env,
        TZ: zone,
        ROWGATE_TEST_ZONE_OFFSET: behind,
        ROWGATE_TEST_SERVERS: servers,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
    child.stderr.on('data', (bytes: Buffer) => (output += bytes.toString()));
    const [code] = await once(child, 'close');
    expect(output).toMatch(/\d+ passed/);
    expect(code, output).toBe(0);
  });
});
