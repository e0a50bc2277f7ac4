/** The entry module of a worker thread. Its one task lasts as long as the worker serves. */
import { workerData } from 'node:worker_threads';
import { openContext } from './context.js';
import { AnswerMemory } from './execute/answer-memory.js';
import type { AttachTask } from './protocol.js';
import { Server } from './server.js';

const context = await openContext(workerData);

/** Serves the port until the gateway closes it. Piscina requires a default export. */
export default async function attach({ port, memory }: AttachTask): Promise<void> {
  const server = new Server(port, new AnswerMemory(memory), context);
  // After an unexpected error, the state is unknown: running reads are answered, and the thread ends with the
  // error, which the gateway logs. It starts another one.
  process.once('uncaughtException', (error) => {
    server.failAll(error);
    setImmediate(() => {
      throw error;
    });
  });
  await server.ended;
  server.close();
  await Promise.all(context.sources.all.map((source) => source.close()));
  port.close();
}
