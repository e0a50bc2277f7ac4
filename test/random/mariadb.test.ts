/** Random queries and writes on MariaDB: see CONTRIBUTING.md, "Random tests". */
import { expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { onMariadb } from './drive/database.js';
import { run, runMs } from './run/run.js';

describeMariadb('random queries and writes', () => {
  test(
    'are answered as an evaluation in memory answers them',
    async () => {
      const { failures } = await run(onMariadb);
      expect(failures.map(({ text }) => text).join('\n\n')).toBe('');
    },
    runMs() + 300_000,
  );
});
