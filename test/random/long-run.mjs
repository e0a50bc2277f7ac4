/**
 * Runs the random tests for longer than `npm test` does: `npm run test:random -- --minutes 30`.
 * `--seed TEXT` uses another seed, `--only postgresql` (or mariadb) uses one database.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const options = {
  minutes: { type: 'string', default: '5' },
  seed: { type: 'string' },
  only: { type: 'string', default: '' },
};
const { values } = parseArgs({ options });
const seconds = 60 * Number(values.minutes);
if (!(seconds > 0))
  throw new Error(`--minutes takes a number above 0, not ${String(values.minutes)}.`);

const repository = fileURLToPath(new URL('../..', import.meta.url));
const config = ['--config', 'test/random/vitest.config.ts', '--reporter=verbose'];
const words = ['vitest', 'run', `test/random/${String(values.only)}`, ...config];
const child = spawn('npx', words, {
  cwd: repository,
  stdio: 'inherit',
  env: {
    ...process.env,
    ROWGATE_TEST_RANDOM_SECONDS: String(seconds),
    ...(values.seed !== undefined && { ROWGATE_TEST_SEED: values.seed }),
  },
});
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
