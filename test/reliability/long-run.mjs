/** Runs the suites of crashes, faults, slow clients and overload for longer than `npm test` does. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../support/read-options.mjs';

const SUITES = [
  'test/access/fuzz',
  'test/crash',
  'test/embedded/killed-owner',
  'test/embedded/restart',
  'test/fuzz',
  'test/http/body-room',
  'test/http/bounds',
  'test/http/dispatch',
  'test/http/large-answers',
  'test/http/new-connections',
  'test/http/slow-readers',
  'test/http/tls',
  'test/http/too-large',
  'test/http/whole-requests',
  'test/introspect/drift',
  'test/mariadb/cancel',
  'test/mariadb/failures',
  'test/mariadb/galera',
  'test/mariadb/lost-',
  'test/mariadb/runaway',
  'test/program/abort-storm',
  'test/program/burdening-bodies',
  'test/program/disconnects',
  'test/program/disk-full',
  'test/program/goodput',
  'test/program/idle-connections',
  'test/program/large-bodies',
  'test/program/lifecycle',
  'test/program/overload',
  'test/program/poison',
  'test/program/resting-readers',
  'test/program/slow-readers',
  'test/program/throttled',
  'test/program/whole-writes',
  'test/reliability',
  'test/sources/lost-commits',
  'test/workers/early-cancel',
  'test/workers/execute/admission',
  'test/workers/execute/wait-admission',
  'test/workers/failures',
  'test/workers/lost-',
];

const HELP = `npm run test:reliability -- [options]

  --minutes N      how long the suites run that take a time (5)
  --seed N         uses another seed
  --only PATH      runs one suite
  --all-at-once    runs one gateway under everything at the same time, for that long on each database
  --database NAME  runs the suites of one database: PostgreSQL or MariaDB
  --no-crashes     kills nothing
  --help           prints this text
`;

const options = {
  minutes: { type: 'string', default: '5' },
  seed: { type: 'string' },
  only: { type: 'string' },
  'all-at-once': { type: 'boolean', default: false },
  database: { type: 'string' },
  'no-crashes': { type: 'boolean', default: false },
};
const { values } = readOptions(options, HELP);
const minutes = Number(values.minutes);

/** A million inputs for the 13 suites of `test/fuzz`, which run on each database and HTTP server. */
const FUZZ_INPUTS = Math.ceil(1_000_000 / 13);

/** The suites that run for a given time; the others take some minutes in total. */
const longer = {
  ROWGATE_STORM_MS: String(minutes * 10_000),
  ROWGATE_TEST_ANSWERS: String(Math.ceil(minutes * 100)),
  ROWGATE_TEST_STALLS_SECONDS: String(Math.max(120, Math.ceil(minutes * 15))),
  ROWGATE_TEST_WRITES: String(Math.ceil(minutes * 1000)),
  ROWGATE_TEST_KEYED_WRITES: String(Math.max(10_000, minutes * 1000)),
  ROWGATE_TEST_FAULT_REQUESTS: String(Math.max(100_000, minutes * 3000)),
  ROWGATE_TEST_FAULTS: String(Math.max(250, Math.ceil(minutes * 50))),
  ROWGATE_TEST_DISTINCT_QUERIES: '500000',
  ROWGATE_TEST_FUZZ_INPUTS: String(FUZZ_INPUTS),
  ROWGATE_TEST_ALL_SECONDS: String(Math.ceil(minutes * (values['all-at-once'] ? 60 : 12))),
  ...(values['no-crashes'] && { ROWGATE_TEST_CRASHES: 'off' }),
  ...(values.seed !== undefined && { ROWGATE_TEST_SEED: values.seed }),
};
const only = values['all-at-once'] ? 'test/reliability/all-at-once' : values.only;
const words = ['vitest', 'run', ...(only === undefined ? SUITES : [only])];
// The names of the suites end with the database.
if (values.database !== undefined) words.push('-t', `on ${String(values.database)} `);
// The suites run one after another, so that none measures the load of the others.
const { status } = spawnSync('npx', [...words, '--no-file-parallelism', '--reporter=verbose'], {
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
  stdio: 'inherit',
  env: { ...process.env, ...longer },
});
process.exitCode = status ?? 1;
