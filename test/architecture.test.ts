/**
 * Checks the rules of ARCHITECTURE.md that a scan of the files can check: which layer imports which,
 * one place for each package, the size of files, and what must not be in the project.
 */
import { isUtf8 } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const repository = fileURLToPath(new URL('..', import.meta.url));
const LINES_MAX = 400;
const DIALECTS = 'src/engine/dialects/dialects.ts';

interface Import {
  readonly from: string;
  /** A path in the repository, or the name of a package. */
  readonly target: string;
  readonly isType: boolean;
}

const files = filesInGit();
const sources = files.filter((path) => /^src\/.*\.tsx?$/.test(path));
const imports = sources.flatMap(importsOf);
const packages = readPackages();
const architecture = read('ARCHITECTURE.md');

describe('layers', () => {
  test.each([
    { layer: 'engine', knows: [] },
    { layer: 'workers', knows: ['engine'] },
    { layer: 'gateway', knows: ['engine', 'workers'] },
    { layer: 'embedded', knows: [] },
    { layer: 'project', knows: ['engine', 'workers', 'gateway', 'embedded'] },
    { layer: 'console', knows: [] },
    { layer: 'cli', knows: ['engine', 'workers', 'gateway', 'embedded', 'project'] },
  ])('$layer imports only the layers below it', ({ layer, knows }) => {
    const allowed = [layer, ...knows].map((each) => `src/${each}/`);
    const breaches = imports.filter(
      ({ from, target }) =>
        from.startsWith(`src/${layer}/`) &&
        target.startsWith('src/') &&
        !allowed.some((folder) => target.startsWith(folder)),
    );
    expect(describeImports(breaches)).toEqual([]);
  });

  test('the engine imports no package and no module of Node', () => {
    const breaches = imports.filter(
      ({ from, target }) => from.startsWith('src/engine/') && !target.startsWith('src/'),
    );
    expect(describeImports(breaches)).toEqual([]);
  });

  test('the random tests use the parser of the engine, names of tables to prepare them, and nothing else of the program', () => {
    const evaluating = files.filter((path) => /^test\/random\/[^/]+\/.*\.ts$/.test(path));
    const parser = ['ast.ts', 'parse-expression.ts', 'parse-query.ts'];
    const allowed = [
      ...parser.map((name) => `src/engine/language/${name}`),
      'src/engine/errors.ts',
    ];
    const breaches = evaluating
      .flatMap(importsOf)
      .filter(({ target }) => target.startsWith('src/') && !allowed.includes(target))
      .filter(
        ({ from, target }) => !(from.startsWith('test/random/drive/') && target === DIALECTS),
      );
    expect(evaluating.length).toBeGreaterThan(50);
    expect(describeImports(breaches)).toEqual([]);
  });

  test('from outside, only the index of the engine is imported', () => {
    const breaches = imports.filter(
      ({ from, target }) =>
        !from.startsWith('src/engine/') &&
        target.startsWith('src/engine/') &&
        target !== 'src/engine/index.ts',
    );
    expect(describeImports(breaches)).toEqual([]);
  });

  test('the client imports only its own files', () => {
    const own = /^clients\/[^/]+\/src\/.*\.ts$/;
    const breaches = files
      .filter((path) => own.test(path))
      .flatMap(importsOf)
      .filter(({ target }) => !own.test(target));
    expect(describeImports(breaches)).toEqual([]);
  });

  test('the gateway imports nothing from the workers but the protocol, as types', () => {
    const breaches = imports.filter(
      ({ from, target, isType }) =>
        from.startsWith('src/gateway/') &&
        target.startsWith('src/workers/') &&
        !(target === 'src/workers/protocol.ts' && isType),
    );
    expect(describeImports(breaches)).toEqual([]);
  });
});

/**
 * The folders and files of each layer, from the lowest to the highest. An import goes to the same one
 * or to a lower one.
 */
const orders = {
  engine: [
    ...['errors.ts', 'numbered-table.ts', 'variant.ts', 'language', 'schema'],
    ...['compiled-query.ts', 'compiled-write.ts', 'values', 'query', 'dialects', 'sql'],
    ...[
      'result',
      'input',
      'describe',
      'transfer',
      'ddl',
      'introspect',
      'drift',
      'compile-limits.ts',
      'compile.ts',
      'listeners',
      'load',
    ],
    'index.ts',
    'library.ts',
  ],
  workers: [
    ...['protocol.ts', 'cancellation.ts', 'decode-text.ts', 'parse-data.ts', 'add-to-group.ts'],
    ...[
      'worker-load.ts',
      'suppressed-errors.ts',
      'cipher',
      'plan-count.ts',
      'plans.ts',
      'database',
    ],
    ...['stage-sources.ts', 'problems.ts', 'context.ts', 'execute'],
    ...['import', 'tasks', 'server.ts', 'main.ts'],
  ],
};

/** Types that refer to each other. */
const mutual = ['src/engine/compiled-query.ts', 'src/engine/compiled-write.ts'];

describe.each(Object.entries(orders))('the folders of %s', (layer, order) => {
  const root = `src/${layer}/`;
  const rankOf = (path: string) => order.indexOf(path.slice(root.length).split('/')[0] ?? '');

  test('are all listed in their order', () => {
    const own = sources.filter((path) => path.startsWith(root));
    expect(own.filter((path) => rankOf(path) < 0)).toEqual([]);
  });

  test('import only folders below them', () => {
    const breaches = imports.filter(
      ({ from, target }) =>
        from.startsWith(root) &&
        target.startsWith(root) &&
        rankOf(target) > rankOf(from) &&
        !(mutual.includes(from) && mutual.includes(target)),
    );
    expect(describeImports(breaches)).toEqual([]);
  });
});

describe('packages', () => {
  const rows = [...architecture.matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|$/gm)];
  const places = new Map(
    rows.map(([, name = '', , where = '']) => [
      name,
      [...where.matchAll(/`([^`]+)`/g)].map(([, place = '']) => place),
    ]),
  );

  test.each(packages.shipped)('%s has a line in ARCHITECTURE.md', (name) => {
    expect(placesOf(name)).toBeDefined();
  });

  test.each(packages.development)('%s is named in ARCHITECTURE.md', (name) => {
    expect(architecture).toContain(`\`${name}\``);
  });

  test('each is imported only where ARCHITECTURE.md says', () => {
    const breaches = imports.filter(({ from, target }) => {
      if (/^(?:src\/|node:|rowgate:)/.test(target)) return false;
      return !(placesOf(target) ?? []).some((place) => isIn(from, place));
    });
    expect(describeImports(breaches)).toEqual([]);
  });

  /** Where a package may be imported; undefined for a package without a line, like its family. */
  function placesOf(name: string): readonly string[] | undefined {
    const [scope = '', own = ''] = name.split('/');
    const root = scope.startsWith('@') ? `${scope}/${own}` : scope;
    return places.get(root) ?? places.get(`${scope}/*`);
  }
});

test('the environment is read in the command line, and written in one place', () => {
  const users = sources.filter((path) => read(path).includes('process.env'));
  expect(users).toEqual(['src/cli/main.ts', 'src/gateway/http/create-server.ts']);
});

test(`no source file has more than ${LINES_MAX} lines`, () => {
  const long = files
    .filter((path) => /^(src|clients|test|bench)\/.*\.(ts|mjs)$/.test(path))
    .filter((path) => read(path).split('\n').length - 1 > LINES_MAX);
  expect(long).toEqual([]);
});

// The patterns are split so that they do not match this file.
test.each([
  {
    what: 'a type switched off',
    pattern: /<any>|\bas any\b|\bas unknown as\b|@ts-(ignore|expect-error|nocheck)/,
    in: /^(src|clients)\//,
  },
  {
    what: 'a rule switched off',
    pattern: /(oxlin[t]|eslin[t])-disable|biome-ignor[e]/,
    in: /^(src|clients|test|bench)\//,
  },
  {
    what: 'work left open',
    pattern: /\b(TO[D]O|FIX[M]E|XX[X]|HA[C]K)\b|not [i]mplemented/i,
    in: /^(src|clients)\//,
  },
  {
    what: 'a test that does not run',
    pattern: /\b(test|it|describe)\.(only|skip|todo)\(/,
    in: /^test\//,
  },
  {
    what: 'a place of one machine',
    pattern: /\/(wor[k]|roo[t]|home\/\w+)\/|t[m]p\/[a-z]+\/|registry[.]npm/,
    in: /./,
  },
])('there is no $what', ({ pattern, in: where }) => {
  const found = files
    .filter((path) => where.test(path) && isText(path))
    .flatMap((path) =>
      read(path)
        .split('\n')
        .flatMap((line, index) =>
          pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
        ),
    );
  expect(found).toEqual([]);
});

test('Git has text only, in known places', () => {
  const places = /^(\.ci|bench|clients|deploy|docs|schemas|scripts|src|test)\/|^[^/]+$/;
  const isTextFile = (bytes: Buffer) => isUtf8(bytes) && !bytes.includes(0);
  const strange = files.filter((path) => !places.test(path) || !isTextFile(readBytes(path)));
  expect(strange).toEqual([]);
});

/** The paths of all files in Git. */
function filesInGit(): readonly string[] {
  const output = execFileSync('git', ['ls-files', '--cached', '-z'], { cwd: repository });
  return output.toString().split('\0').filter(Boolean);
}

function isText(path: string): boolean {
  return /\.(ts|mjs|json|md|yaml|yml|sql)$|^\.ci\//.test(path) && path !== 'package-lock.json';
}

function isIn(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

function importsOf(path: string): Import[] {
  const statements = read(path).matchAll(
    /^(?:import|export)(\s+type)?\b[^;']*?\bfrom '([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  return [...statements].map(([, type, fixed, dynamic]) => {
    const written = fixed ?? dynamic ?? '';
    const target = written.startsWith('.')
      ? posix.join(posix.dirname(path), written).replace(/\.js$/, '.ts')
      : written;
    return { from: path, target, isType: type !== undefined };
  });
}

function describeImports(breaches: readonly Import[]): readonly string[] {
  return breaches.map(({ from, target }) => `${from} imports ${target}`);
}

function readPackages() {
  const manifest = JSON.parse(read('package.json'));
  return {
    shipped: Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
    development: Object.keys(manifest.devDependencies),
  };
}

function read(path: string): string {
  return readBytes(path).toString();
}

function readBytes(path: string): Buffer {
  return readFileSync(join(repository, path));
}
