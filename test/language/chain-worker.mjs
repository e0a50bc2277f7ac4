/** Compiles long chains on this thread's stack, and answers with the lengths of their SQL. */
import { parentPort, workerData } from 'node:worker_threads';
import { compileQuery, createCatalog, loadSchema } from '../../dist/engine/index.js';

const { document, queries, limits } = workerData;
const catalog = createCatalog(loadSchema(document));
const lengths = queries.map((expression) => {
  const request = { expression, stage: 'default', view: 'default', limits };
  return compileQuery(catalog, request).root.text.length;
});
parentPort.postMessage(lengths);
