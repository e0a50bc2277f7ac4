/**
 * Every TypeScript block of the documents compiles, runs, and gives what is shown. `UPDATE_DOCS=1` writes what
 * the blocks give, for a person to review.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { layOut } from '../language/doc-examples.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import type { Program } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';
import {
  type Outcome,
  runTypeScript,
  typeScriptIn,
  typeScriptPages,
  withValues,
} from './typescript-examples.js';

const pages = typeScriptPages.map((name) => ({
  name,
  path: fileURLToPath(new URL(`../../${name}`, import.meta.url)),
}));

describe.each(pages)('$name', ({ path }) => {
  const text = readFileSync(path, 'utf8');
  const examples = typeScriptIn(text);
  const folder = makeTemporaryDirectory();
  let server: SampleServer;
  let program: Program;
  let outcomes: readonly Outcome[] = [];

  beforeAll(async () => {
    server = await startSampleServer();
    program = await server.start();
    outcomes = runTypeScript(examples, { base: program.base, folder });
    if (process.env['UPDATE_DOCS'] !== '1') return;
    writeFileSync(
      path,
      withValues(
        text,
        outcomes.map(({ value }) => layOut(value)),
      ),
    );
  });

  afterAll(async () => {
    await program.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('shows at least one example', () => {
    expect(examples.length).toBeGreaterThan(0);
  });

  test.each(examples.map((each, index) => ({ ...each, index })))(
    'gives what it shows in line $line',
    ({ index, shown }) => {
      const { value, error } = outcomes[index] ?? {};
      expect(error).toBeUndefined();
      if (shown !== undefined) expect(value).toEqual(JSON.parse(shown));
    },
  );
});
