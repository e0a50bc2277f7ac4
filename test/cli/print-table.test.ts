/** Rows as a table. */
import { expect, test } from 'vitest';
import { painter } from '../../src/cli/colors.js';
import { printTable } from '../../src/cli/print-table.js';
import { readConfiguration } from '../../src/gateway/config.js';

test('a row may have JSON in which a key is repeated', async () => {
  const printed: string[] = [];
  const print = (line: string) => void printed.push(line);
  const code = await printTable(new Response('{"id":1}\n{"id":2,"doc":{"a":1,"a":{"a":2}}}\n'), {
    arguments: { values: new Map(), switches: new Set(), positionals: [], options: [] },
    configuration: readConfiguration({ argv: [], environment: {}, host: { cores: 1 } }),
    ignoredMembers: [],
    environment: {},
    terminal: { print, report: print, paint: painter(false, {}), isTerminal: false },
    takeCause: () => undefined,
  });
  expect([code, printed]).toEqual([
    0,
    ['id  doc', '──  ─────────────', ' 1', ' 2  {"a":{"a":2}}', '2 rows'],
  ]);
});
