/** The commands, flags and variables that the documents name are those of the program. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { USAGE } from '../../bench/options.js';
import { allOptions } from '../../src/gateway/config.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { helpOf } from '../support/help.js';
import { runCommand } from '../support/program.js';
import { pages } from './run-elsewhere.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string) => readFileSync(join(repository, name), 'utf8');

/** The flags of each command, such as `--url URL`, as its help shows them. */
const flagsOf = new Map<string, readonly string[]>();
beforeAll(async () => {
  const { stdout } = await runCommand(['--help']);
  const [, list = ''] = /Commands:\n((?: .*\n)+)/.exec(stdout) ?? [];
  for (const [, command = ''] of list.matchAll(/^ {2}(\w+)/gm)) {
    const [, flags = ''] = /Flags:\n((?: .*\n)+)/.exec(await helpOf(command)) ?? [];
    const shown = [...flags.matchAll(/^ {2}(--[\w-]+(?: \S+)?)/gm)];
    flagsOf.set(
      command,
      shown.map(([, flag = '']) => flag),
    );
  }
});

/** The rows of the table with this head, by their cells. */
function tableOf(page: string, head: string): readonly (readonly string[])[] {
  const [, rows = ''] = read(page).split(`${head}\n`);
  const [lines = ''] = rows.split('\n\n');
  return lines
    .split('\n')
    .slice(1)
    .map((line) => line.split('|').slice(1, -1));
}

const spansOf = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);

test('README.md lists the commands', () => {
  const rows = tableOf('README.md', '| command | what it does |');
  const listed = rows.flatMap(([commands = '']) => spansOf(commands));
  expect([...listed].sort()).toEqual([...flagsOf.keys()].sort());
});

test('docs/configuration.md lists the flags of every command except keys', () => {
  const listed: string[] = [];
  let commands: readonly string[] = [];
  for (const [first = '', flags = ''] of tableOf(
    'docs/configuration.md',
    '| command | flag | what for |',
  )) {
    if (first.trim() !== '') commands = spansOf(first);
    for (const command of commands) {
      listed.push(...spansOf(flags).map((flag) => `${command} ${flag}`));
    }
  }
  const known = [...flagsOf].flatMap(([command, flags]) =>
    flags.map((flag) => `${command} ${flag}`),
  );
  expect(listed.sort()).toEqual(known.filter((each) => !each.startsWith('keys ')).sort());
});

test('docs/security.md lists the flags of `keys add`, with examples that are accepted', async () => {
  const rows = tableOf('docs/security.md', '| flag of `keys add` | example |');
  const flags = rows.flatMap(([flag = '']) => spansOf(flag));
  const known = (flagsOf.get('keys') ?? []).map(nameOf);
  expect([...flags].sort()).toEqual([...known].sort());
  const file = join(makeTemporaryDirectory(), 'keys.json');
  // Each key takes another example of every flag.
  const examples = rows.map(([, example = '']) => spansOf(example));
  const count = Math.max(...examples.map(({ length }) => length));
  for (let key = 0; key < count; key += 1) {
    const values = examples.map((all) => all[key % all.length]?.replaceAll('"', ''));
    const words = flags.flatMap((flag, row) => [flag, ...[values[row] ?? []].flat()]);
    const given = ['keys', 'add', `key-${key}`, '--keys-file', file, ...words];
    const { code, stderr } = await runCommand(given);
    expect([given, code, stderr]).toEqual([given, 0, expect.any(String)]);
  }
});

/** The flags of Node.js, npm, the compiler, Docker, kubectl and `test` that the documents and `deploy` name. */
const otherFlags = [
  ...['--env-file', '--build', '--from', '--from-file', '--from-literal', '--ignore-scripts'],
  ...['--interval', '--no-audit', '--no-fund', '--start-period', '--timeout'],
  ...['--omit', '--prefix', '--registry', '--save-dev', '--silent'],
  ...['--strict', '--module', '--target', '--minutes', '--seed', '--only', '--all-at-once'],
  ...['--database', '--no-crashes', '--help'],
];

/** The text of the program and its tests. */
const code = ['src', 'test', 'bench']
  .flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true }).map((path) =>
      join(folder, String(path)),
    ),
  )
  .filter((path) => /^(?!.*node_modules).*\.(?:ts|mjs)$/.test(path))
  .map(read)
  .join('\n');

const deployed = readdirSync(join(repository, 'deploy')).map((name) => `deploy/${name}`);

/** The program with a command and what follows. */
const ROWGATE = /^(?:(?:npx )?rowgate|node (?:--env-file=\S+ )?\S+\/rowgate\.js) ([a-z]+)(.*)$/;

test.each([...new Set([...pages, ...deployed])])(
  '%s names no unknown flag, command or variable',
  (page) => {
    const text = read(page);
    const options = allOptions().map(([, option]) => option);
    const optionFlags = options.map(({ flag }) => `--${flag}`);
    const benchFlags = USAGE.match(/--[\w-]+/g) ?? [];
    const own = [...flagsOf.values()].flat().map(nameOf);
    const known = new Set([...otherFlags, ...optionFlags, ...benchFlags, ...own]);
    expect(flagsIn(text).filter((flag) => !known.has(flag))).toEqual([]);

    const variables = text.match(/\bROWGATE_[A-Z_]+\b/g) ?? [];
    const settable = new Set(options.flatMap((option) => option.variables));
    const isKnown = (name: string) => settable.has(name) || code.includes(`'${name}'`);
    expect(variables.filter((name) => !isKnown(name))).toEqual([]);

    const wrong = spansOf(text.replaceAll(/^```[\s\S]*?^```$/gm, '')).filter((span) => {
      const [, command, rest = ''] = ROWGATE.exec(span) ?? [];
      if (command === undefined) return false;
      const allowed = [...(flagsOf.get(command) ?? []).map(nameOf), ...optionFlags];
      return !flagsOf.has(command) || flagsIn(rest).some((flag) => !allowed.includes(flag));
    });
    expect(wrong).toEqual([]);
  },
);

function flagsIn(text: string): readonly string[] {
  return text.match(/(?<![\w-])--[a-z][\w-]*/g) ?? [];
}

/** A flag without the name of its value. */
function nameOf(flag: string): string {
  return flag.replace(/ .*/, '');
}
