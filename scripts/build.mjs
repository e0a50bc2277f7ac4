/**
 * Compiles and bundles the program and the console, or compiles the projects that the arguments name.
 * Concurrent builds, for example by two `npm start` in a new clone, run one after the other: the
 * compiler writes files in place, and a program must not read an incomplete one.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));
const lock = `${repository}node_modules/.rowgate-build-lock`;
const compiler = `${repository}node_modules/typescript/bin/tsc`;
const POLL_MS = 50;
const WAIT_MS = 300_000;

const projects =
  process.argv.length > 2 ? process.argv.slice(2) : ['src/cli', 'clients/typescript'];
process.on('exit', release);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
await acquire();
const isWhole = process.argv.length === 2;
process.exitCode = run(compiler, '-b', ...projects);
for (const script of isWhole ? ['scripts/bundle-program.mjs', 'scripts/build-console.mjs'] : []) {
  if (process.exitCode === 0) process.exitCode = run(script);
}

function run(...words) {
  return spawnSync(process.execPath, words, { cwd: repository, stdio: 'inherit' }).status ?? 1;
}

async function acquire() {
  const deadline = Date.now() + WAIT_MS;
  while (!take()) {
    if (!isAlive(owner())) rmSync(lock, { force: true });
    else if (Date.now() > deadline) throw new Error(`Another build holds ${lock} for too long.`);
    else await delay(POLL_MS);
  }
}

function take() {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function release() {
  if (owner() === process.pid) rmSync(lock, { force: true });
}

/** The process that holds the lock; undefined if none does, or if it has not written its number yet. */
function owner() {
  try {
    return Number(readFileSync(lock, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  if (pid === undefined) return true;
  // Left behind by a process that was killed: in a container, the next one often has the same number.
  if (pid === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
