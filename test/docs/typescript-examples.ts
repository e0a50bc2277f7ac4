/**
 * Runs the `ts` blocks of a document with the client: they are compiled together, with the types of the sample
 * domain, and run one after the other. A `json` block after one shows the value of its last constant.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as client from '../../clients/typescript/src/index.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** The documents whose blocks run with the sample. */
export const typeScriptPages: readonly string[] = [
  'clients/typescript/README.md',
  'docs/client.md',
  'docs/cookbook.md',
];

/** A block, and what the document shows after it. */
export interface TypeScriptExample {
  readonly line: number;
  readonly code: string;
  readonly shown: string | undefined;
}

const BLOCK = /```ts\n([\s\S]*?)\n```\n(?:\n```json\n([\s\S]*?)\n```)?/g;

export function typeScriptIn(text: string): readonly TypeScriptExample[] {
  return [...text.matchAll(BLOCK)].map(({ 1: code = '', 2: shown, index }) => ({
    line: text.slice(0, index).split('\n').length,
    code,
    shown,
  }));
}

/** The document with other values after its blocks. */
export function withValues(text: string, values: readonly string[]): string {
  let index = 0;
  return text.replaceAll(BLOCK, (whole: string, _code, shown?: string) => {
    const value = values[index++] ?? '';
    if (shown === undefined) return whole;
    return `${whole.slice(0, -(shown.length + 4))}${value}\n\`\`\``;
  });
}

/** What a block gave: the JSON of its value, or its error. */
export interface Outcome {
  readonly value?: unknown;
  readonly error?: string;
}

interface Place {
  /** The address of the gateway. */
  readonly base: string;
  /** Where the blocks are compiled. */
  readonly folder: string;
  /** The file of the domain's types; by default, those of the sample. */
  readonly domain?: string;
}

/** Compiles the blocks, and runs them against a gateway. Throws if one does not compile. */
export function runTypeScript(
  examples: readonly TypeScriptExample[],
  { base, folder, domain = join(repository, 'test/client/domain.ts') }: Place,
): readonly Outcome[] {
  mkdirSync(join(folder, 'node_modules/@rowgate'), { recursive: true });
  symlinkSync(join(repository, 'clients/typescript'), join(folder, 'node_modules/@rowgate/client'));
  copyFileSync(domain, join(folder, 'domain.ts'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const names = examples.map(({ line }) => `line-${line}`);
  examples.forEach(({ code }, index) => {
    writeFileSync(join(folder, `${names[index]}.ts`), moduleOf(code, base));
  });
  const compiler = join(repository, 'node_modules/typescript/bin/tsc');
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
  const words = [...strict, '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom'];
  const files = names.map((name) => `${name}.ts`);
  execFileSync(process.execPath, [compiler, ...words, '--types', '', ...files], {
    cwd: folder,
    stdio: 'inherit',
  });
  writeFileSync(join(folder, 'run.mjs'), runner);
  const printed = execFileSync(process.execPath, ['run.mjs', ...names], { cwd: folder });
  // The blocks may print something themselves.
  return JSON.parse(printed.toString().split('\n').at(-1) ?? '');
}

const runner = `
const outcomes = [];
for (const name of process.argv.slice(2)) {
  try {
    const { default: value } = await import('./' + name + '.js');
    outcomes.push({ value: value ?? null });
  } catch (error) {
    outcomes.push({ error: String(error) });
  }
}
const plain = (_name, value) => (typeof value === 'bigint' ? value + 'n' : value);
process.stdout.write(JSON.stringify(outcomes, plain));
`;

/** The block as a module: with the imports and the client that earlier blocks of the page have shown. */
function moduleOf(code: string, base: string): string {
  const has = (name: string) => new RegExp(`\\b${name}\\b`).test(code);
  const imported = Object.keys(client).filter(
    (name) =>
      new RegExp(`(?<![.\\w])${name}(\\(|<|\\b(?= ?[),;]))`).test(code) &&
      !new RegExp(`import [^;]*\\b${name}\\b|const ${name}\\b`).test(code),
  );
  const makesClient = /const db = createClient/.test(code);
  const last = [...code.matchAll(/^(?:export )?const (\w+) =/gm)].at(-1)?.[1];
  return [
    ...imported.map((name) => `import { ${name} } from '@rowgate/client';`),
    ...(makesClient ? [] : ["import { createClient as connect } from '@rowgate/client';"]),
    ...(/import type \{ Domain/.test(code) ? [] : ["import type { Domain } from './domain.js';"]),
    ...(makesClient ? [] : ["const db = connect<Domain>({ url: 'http://127.0.0.1:9291' });"]),
    ...(has('Domain') || !makesClient ? [] : ['export type { Domain };']),
    code,
    last === undefined ? 'export default undefined;' : `export default ${last};`,
  ]
    .join('\n')
    .replaceAll('http://127.0.0.1:9291', base);
}
