/** Random queries and writes on PostgreSQL: see CONTRIBUTING.md, "Random tests". */
import { expect, test } from 'vitest';
import { onPostgresql } from './drive/database.js';
import { run, runMs } from './run/run.js';

test(
  'random queries and writes are answered as an evaluation in memory answers them',
  async () => {
    const { failures } = await run(onPostgresql);
    expect(failures.map(({ text }) => text).join('\n\n')).toBe('');
  },
  runMs() + 300_000,
);
