/** Plans over the lanes' schema, for tests that ask no database. */
import { compileQuery, createCatalog, loadSchema } from '../../../src/engine/index.js';
import { createCipher } from '../../../src/workers/cipher/cipher.js';
import { ReadyPlan } from '../../../src/workers/plans.js';
import { settings } from '../test-worker.js';
import { batchSchema } from './batch-schema.js';

const catalog = createCatalog(
  loadSchema(batchSchema({ host: 'localhost', port: 1, database: 'none' }, 'PostgreSQL')),
);

export function readyPlan(
  expression = 'Items.filter(p=>p.id==id).map(p=>[p.id,p.code])',
): ReadyPlan {
  const { limits } = settings;
  const request = { expression, stage: 'default', view: 'default', limits };
  return new ReadyPlan(compileQuery(catalog, request), createCipher());
}
