/** Runs a program and samples its processor time, which is no longer available after its end. */
import { processorUs } from '../measure/process-table.js';
import { type ProcessOrder, runProcess } from '../run-process.js';

const WATCH_MS = 20;

/** The output of the program and its processor time, except for its last moments. */
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
