/** Imports on MariaDB, and with the statements of MySQL; see `import-suite`. */
import type { DialectName } from '../../src/engine/index.js';
import { describeMariadb } from '../support/mariadb.js';
import { describeImport } from '../workers/import-suite.js';
import { openMariadbStage } from './transfer-stage.js';

for (const dialect of ['MariaDB', 'MySQL'] satisfies DialectName[]) {
  describeMariadb(`imports on ${dialect}`, () =>
    describeImport((schema) => openMariadbStage(schema, dialect)),
  );
}
