/**
 * The commands of npm, npx and node in the documents: their scripts and files exist, and the programs that they start accept the
 * arguments. What takes long, such as tests and benches, is not run itself.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readOptions } from '../../bench/options.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { blockOf, blocksIn } from './blocks.js';
import { pages } from './run-elsewhere.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string) => readFileSync(join(repository, name), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
/** Paths of the repository. */
const testFiles = readdirSync(join(repository, 'test'), { recursive: true })
  .map((path) => join('test', String(path)))
  .filter((path) => path.endsWith('.test.ts'));

/** A folder whose `npx` prints its arguments and runs nothing. */
const stubs = makeTemporaryDirectory();
writeFileSync(join(stubs, 'npx'), '#!/bin/sh\necho npx "$@"\n');
chmodSync(join(stubs, 'npx'), 0o755);

/** Checks commands that `&&` joins. */
function expectValid(line: string): void {
  for (const command of line.split(' && ')) {
    const [, variables = '', program = '', rest = ''] =
      /^((?:[A-Z_]+=\S+ )*)(\S+) ?(.*)$/.exec(command) ?? [];
    for (const [, name = ''] of variables.matchAll(/(\w+)=/g)) expectRead(name);
    const words = rest.split(' ').filter((word) => word !== '');
    if (program === 'npm') expectNpm(words);
    else if (program === 'node') expectNode(words);
    else if (program.startsWith('.')) expectFile(program);
    else expectInstalled(program === 'npx' ? words : [program, ...words]);
  }
}

/** A variable of the environment is read by a test. */
function expectRead(name: string): void {
  const isRead = testFiles.some((path) => read(path).includes(name));
  expect([name, isRead]).toEqual([name, true]);
}

const npmCommands = ['ci', 'install', 'start', 'test', 'audit', 'pkg', 'pack', '--prefix'];

function expectNpm([command = '', ...words]: readonly string[]): void {
  const [name = '', separator, ...args] =
    command === 'run' ? words.filter((word) => word !== '--silent') : [command, ...words];
  if (command === 'run') expect(scripts).toHaveProperty([name]);
  else expect(npmCommands).toContain(command);
  if (separator === '--') {
    const script = scripts[name]?.replace('npm run --silent build && ', '') ?? '';
    expectValid(`${script.replace(/^exec /, '')} ${args.join(' ')}`);
  }
}

function expectInstalled([command = '', ...words]: readonly string[]): void {
  // `flags.test.ts` checks the commands of Rowgate.
  if (command === 'rowgate') return;
  expectFile(join('node_modules/.bin', command));
  if (command !== 'vitest') return;
  const filters = words.filter((word) => word.startsWith('test/'));
  expect(filters.filter((filter) => !exists(filter))).toEqual([]);
}

function expectNode(given: readonly string[]): void {
  // `flags.test.ts` knows the flags of Node.js.
  const [file = '', ...words] = given.slice(given.findIndex((word) => !word.startsWith('--')));
  if (file === 'dist-bench/main.js') {
    expect(() => readOptions(words)).not.toThrow();
    return;
  }
  expectFile(file.replace(/^FOLDER\//, ''));
  if (!file.startsWith('test/')) return;
  const env = { ...process.env, PATH: `${stubs}:${process.env['PATH'] ?? ''}` };
  const options = { cwd: repository, env, encoding: 'utf8' } as const;
  const { status, stdout } = spawnSync(process.execPath, [file, ...words], options);
  expect([words, status]).toEqual([words, 0]);
  expectValid(stdout.trim());
}

function expectFile(path: string): void {
  expect([path, exists(path)]).toEqual([path, true]);
}

/** Whether there is such a file or folder, or a test whose path begins like this. */
function exists(path: string): boolean {
  if (existsSync(join(repository, path))) return true;
  return path.startsWith('test/') && testFiles.some((file) => file.startsWith(path));
}

const lines = [
  blockOf('README.md', 'npm test'),
  blockOf('CONTRIBUTING.md', 'npm ci'),
  blockOf('bench/README.md', 'npm run bench'),
  blockOf('docs/console.md', 'npm run build'),
  blockOf('docs/performance.md', 'npm run bench'),
  blockOf('docs/reliability.md', 'npm run test:reliability'),
].flatMap((text) => text.split('\n').map((line) => line.replace(/ {2,}#.*/, '')));

test.each(lines)('a block has a valid command: %s', expectValid);

const COMMAND = /^(?:[A-Z_]+=\S+ )*(?:npm|npx|node|\.ci\/run)(?: |$)/;

test.each(pages)('%s has only valid commands in its text', (page) => {
  for (const span of spansOf(page)) if (COMMAND.test(span)) expectValid(span);
});

/** What the documents tell a reader to create. */
const created = ['src/engine/result/tsv-writer.ts', 'docs/images'];

test.each(pages)('%s names only files that exist', (page) => {
  const isPath = (span: string) => /^(?:src|test|bench|docs|deploy|scripts)\/[\w./-]+$/.test(span);
  const paths = spansOf(page).filter((span) => isPath(span) && !created.includes(span));
  expect(paths.filter((path) => !exists(path))).toEqual([]);
});

test('ARCHITECTURE.md names only modules that exist, in the path of a request, too', () => {
  const filesIn = (folder: string) =>
    readdirSync(join(repository, folder), { recursive: true }).map((path) =>
      join(folder, String(path)),
    );
  const named = spansOf('ARCHITECTURE.md').filter((span) => /^[\w/-]+\.tsx?$/.test(span));
  const files = ['src', 'test', 'bench', 'clients', 'scripts'].flatMap(filesIn);
  expect(named.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual(
    [],
  );
  const path = blockOf('ARCHITECTURE.md', 'client ─▶ gateway/http');
  const steps = [...path.matchAll(/─▶ (\w+\/[\w-]+)/g)].map(([, step = '']) => step);
  const isThere = (step: string) => exists(`src/${step}`) || exists(`src/${step}.ts`);
  expect(steps.length).toBeGreaterThan(5);
  expect(steps.filter((step) => !isThere(step))).toEqual([]);
});

/** The code in the text of a page, outside of its blocks. */
function spansOf(page: string): readonly string[] {
  const whole = read(page);
  const text = blocksIn(whole).reduce((rest, block) => rest.replace(block.text, ''), whole);
  return [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span.replaceAll('\n', ' '));
}

test('the guide from lambdaorm-svc works in a folder that is not a checkout', () => {
  const steps = spansOf('docs/from-lambdaorm-svc.md').filter((span) =>
    / --schema lambdaORM\.yaml/.test(span),
  );
  expect(steps.map((step) => / (check|diff|plan|serve) /.exec(step)?.[1])).toEqual([
    ...['check', 'diff', 'plan', 'serve'],
  ]);
  const folder = makeTemporaryDirectory();
  writeFileSync(join(folder, 'lambdaORM.yaml'), read('schemas/northwind.yaml'));
  writeFileSync(join(folder, '.env'), 'DATABASE_URL="postgres://127.0.0.1:9/none"\n');
  const { PATH = '' } = process.env;
  // They use no database.
  for (const step of steps.filter((each) => / (check|plan) /.test(each))) {
    const own = step.replace('FOLDER/', repository).replace('EXPRESSION', 'Shippers');
    const options = { cwd: folder, env: { PATH: `${stubs}:${PATH}` }, encoding: 'utf8' } as const;
    const { status, stdout } = spawnSync('/bin/sh', ['-c', own], options);
    expect([step, status, stdout]).toEqual([step, 0, expect.not.stringContaining('npx ')]);
  }
});

test.each(['reliability', 'random'])('the long run of test/%s prints its options', (folder) => {
  const run = (...words: readonly string[]) =>
    spawnSync('node', [`test/${folder}/long-run.mjs`, ...words], {
      cwd: repository,
      encoding: 'utf8',
    });
  const { status, stdout } = run('--help');
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^ {2}--minutes N/m)]);
  const wrong = run('--minuts', '3');
  expect([wrong.status, wrong.stdout]).toEqual([2, '']);
  expect(wrong.stderr).toContain("'--minuts'");
  expect(wrong.stderr.endsWith(stdout)).toBe(true);
});
