/**
 * A shell stands in for a database server, and its children for the processes that serve connections.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { childrenOf, familyProcessorUs } from '../../bench/measure/process-table.js';

const worker = '(i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done; echo worked; read _ <&3)';
const script = `exec 3<&0; ${worker} & ${worker} & wait; echo ended; read _`;

it.runIf(existsSync('/proc/self/stat'))(
  'counts the processor time of children, also when they have ended',
  async () => {
    const server = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(server, 'exit');
    const pid = server.pid ?? 0;
    const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
    try {
      await lines.next();
      await lines.next();
      expect(childrenOf(pid)).toHaveLength(2);
      const before = familyProcessorUs(pid);
      expect(before).toBeGreaterThan(0);
      server.stdin.write('\n\n');
      expect(await lines.next()).toEqual({ done: false, value: 'ended' });
      expect(childrenOf(pid)).toEqual([]);
      expect(familyProcessorUs(pid)).toBeGreaterThanOrEqual(before);
    } finally {
      server.stdin.end();
      await ended;
    }
  },
);
