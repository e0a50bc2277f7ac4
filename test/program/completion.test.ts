/** The scripts of `rowgate completion`, used by their shells. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { findProgram } from '../support/find-program.js';
import { runCommand } from '../support/program.js';

const rowgate = fileURLToPath(new URL('../../dist/program/rowgate.js', import.meta.url));
const home = makeTemporaryDirectory();
const bin = join(home, 'bin');
mkdirSync(bin);
writeFileSync(join(bin, 'rowgate'), `#!/bin/sh\nexec "${process.execPath}" "${rowgate}" "$@"\n`);
chmodSync(join(bin, 'rowgate'), 0o755);
const environment = { HOME: home, PATH: `${bin}:${process.env['PATH'] ?? ''}`, TERM: 'xterm' };

/** What is typed, and the words that complete it. */
const typed = [
  ['pu', ['push']],
  ['query x --comp', ['--compact', '--compression']],
  ['drop --y', ['--yes']],
] as const;

async function inShell(name: string, words: readonly string[], line: string): Promise<string> {
  const program = findProgram(name) ?? '';
  const { stdout } = await promisify(execFile)(program, [...words, line], { env: environment });
  return stdout;
}

test.each(typed)('bash completes "%s"', async (text, completions) => {
  const words = text.split(' ');
  const script =
    `source <(rowgate completion bash); COMP_WORDS=(rowgate ${text}); COMP_CWORD=${words.length}; ` +
    `_rowgate; echo "\${COMPREPLY[@]}"`;
  const shown = await inShell('bash', ['--norc', '-c'], script);
  expect(shown.trim().split(' ')).toEqual(completions);
});

const fishFault = faultOf('fish');
describe.runIf(fishFault === '')(`fish${fishFault}`, () => {
  test.each(typed)('completes "%s"', async (text, completions) => {
    const script = `rowgate completion fish | source; complete -C "rowgate ${text}"`;
    const shown = await inShell('fish', ['--no-config', '-c'], script);
    expect(
      shown
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0]),
    ).toEqual(completions);
  });
});

const zshFault = faultOf('zsh');
describe.runIf(zshFault === '')(`zsh${zshFault}`, () => {
  test('completes commands and flags, as typed on a terminal', async () => {
    writeFileSync(join(home, '_rowgate'), (await runCommand(['completion', 'zsh'])).stdout);
    const start = `PROMPT='> '; fpath=("$HOME" $fpath); autoload -Uz compinit; compinit -u -d "$HOME/dump"`;
    writeFileSync(join(home, '.zshrc'), `${start}\n`);
    const child = spawn('script', ['-qec', `${findProgram('zsh')} -d -i`, '/dev/null'], {
      env: environment,
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let shown = '';
    child.stdout.on('data', (bytes: Buffer) => (shown += bytes.toString()));
    await expect.poll(() => shown).toContain('> ');
    for (const [keys, whole] of [
      ['rowgate pu', 'rowgate push'],
      ['rowgate drop --y', 'rowgate drop --yes'],
    ] as const) {
      child.stdin.write(`${keys}\t`);
      await expect.poll(() => withoutControls(shown)).toContain(whole);
      // Control-U empties the line.
      child.stdin.write('\u0015');
    }
    child.stdin.write('exit\r');
    await once(child, 'close');
  });
});

test('completion refuses another shell', async () => {
  expect((await runCommand(['completion', 'cmd'])).code).toBe(2);
});

/** What the terminal shows at last, if a backspace is followed by the same character again. */
function withoutControls(output: string): string {
  return output.replaceAll(/\u001b[[?][^a-zA-Z]*[a-zA-Z]|\u0007|.\u0008/g, '');
}

function faultOf(name: string): string {
  return findProgram(name) === undefined
    ? `: ${name} is not installed (apt-get install ${name})`
    : '';
}
