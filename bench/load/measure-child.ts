/** Runs a program and keeps an eye on its processor time, which is gone once it has ended. */
import { processorUs } from '../measure/process-table.js';
import { type ProcessOrder, runProcess } from '../run-process.js';

const WATCH_MS = 20;

/** What the program says, and what it took of the processor but for its last moments. */
export async function measureChild(order: ProcessOrder, timeoutMs: number) {
  let timer: NodeJS.Timeout | undefined;
  let spentUs = 0;
  const look = (pid: number) => {
    spentUs = processorUs(pid) ?? spentUs;
  };
  try {
    const { output, errors } = await runProcess(order, timeoutMs, (pid) => {
      timer = setInterval(() => look(pid), WATCH_MS);
    });
    return { output, errors, processorUs: spentUs };
  } finally {
    clearInterval(timer);
  }
}
