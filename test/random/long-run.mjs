/** Runs the random tests for longer than `npm test` does. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../support/read-options.mjs';

const HELP = `npm run test:random -- [options]

  --minutes N   how long they run (5)
  --seed TEXT   uses another seed
  --only NAME   uses one database: postgresql or mariadb
  --help        prints this text
`;

const options = {
  minutes: { type: 'string', default: '5' },
  seed: { type: 'string' },
  only: { type: 'string', default: '' },
};
const { values } = readOptions(options, HELP);
const seconds = 60 * Number(values.minutes);

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
