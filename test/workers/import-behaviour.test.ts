/** Imports on PostgreSQL; see `import-suite`. */
import { startTestCluster } from '../support/embedded.js';
import { openStage } from './import-stage.js';
import { describeImport } from './import-suite.js';

describeImport(async () => {
  const cluster = await startTestCluster();
  return {
    async open(schema) {
      const stage = await openStage(cluster, schema);
      return { ...stage, rows: async (text) => (await stage.sql(text)).map(Object.values) };
    },
    stop: () => cluster.stop(),
  };
});
