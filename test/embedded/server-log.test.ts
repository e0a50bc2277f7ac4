/** The log of the embedded server. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openServerLog } from '../../src/embedded/server-log.js';
import { makeTemporaryDirectory } from '../support/embedded.js';

test('keeps its last lines in memory if the disk is full', () => {
  const log = openServerLog('/dev/full');
  log.write('one\n');
  log.write('two\n');
  expect(log.tail()).toBe('one\ntwo\n');
});

test('goes on in its file if an earlier one cannot be replaced', () => {
  const file = join(makeTemporaryDirectory(), 'server.log');
  mkdirSync(join(`${file}.1`, 'in the way'), { recursive: true });
  const log = openServerLog(file);
  log.write('x'.repeat(2 << 20));
  log.write('lost\n');
  log.write('found\n');
  expect(readFileSync(file, 'utf8')).toMatch(/^x+found\n$/);
});
