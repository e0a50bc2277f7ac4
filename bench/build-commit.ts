/** Builds another commit of Rowgate, so that a run can compare it with this one. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProcess } from './run-process.js';

const repository = fileURLToPath(new URL('..', import.meta.url));
const BUILD_TIMEOUT_MS = 300_000;

export interface BuiltCommit {
  /** The path of its command-line program. */
  readonly program: string;
  /** Its abbreviated hash. */
  readonly commit: string;
  remove(): void;
}

/**
 * Checks out the commit into a folder below `directory` and builds it. Throws if it does not exist.
 */
export async function buildCommit(name: string, directory: string): Promise<BuiltCommit> {
  const folder = join(directory, 'before');
  const commit = git('rev-parse', '--short', '--verify', `${name}^{commit}`);
  git('worktree', 'add', '--detach', folder, commit);
  const remove = () => void git('worktree', 'remove', '--force', folder);
  try {
    await install(folder);
    return { program: await build(folder), commit, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Builds the program, and returns its path; commits before the bundle run what the compiler writes. */
async function build(folder: string): Promise<string> {
  const tsc = join(folder, 'node_modules', '.bin', 'tsc');
  await runProcess({ program: tsc, words: ['-b', join(folder, 'src', 'cli')] }, BUILD_TIMEOUT_MS);
  const bundle = join(folder, 'scripts', 'bundle-program.mjs');
  if (!existsSync(bundle)) return join(folder, 'dist', 'cli', 'main.js');
  await runProcess({ program: process.execPath, words: [bundle] }, BUILD_TIMEOUT_MS);
  return join(folder, 'dist', 'program', 'rowgate.js');
}

/** The packages of this checkout, if both commits have the same ones. */
async function install(folder: string): Promise<void> {
  const [ours, theirs] = [repository, folder].map((each) =>
    readFileSync(join(each, 'package-lock.json'), 'utf8'),
  );
  const packages = join(repository, 'node_modules');
  if (ours === theirs && existsSync(packages)) {
    symlinkSync(packages, join(folder, 'node_modules'));
    return;
  }
  await runProcess({ program: 'npm', words: ['--prefix', folder, 'ci'] }, BUILD_TIMEOUT_MS);
}

function git(...words: readonly string[]): string {
  const output = execFileSync('git', ['-C', repository, ...words], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
  return output.trim();
}
