/** Imports on PostgreSQL; see `import-suite`. */
import { openStage } from './import-stage.js';
import { describeImport } from './import-suite.js';

describeImport(async (schema) => {
  const stage = await openStage(schema);
  return { ...stage, rows: async (text) => (await stage.sql(text)).map(Object.values) };
});
