/** Introspection sends as many statements for 500 tables as for one. */
import { describe, expect, test } from 'vitest';
import { draftDatabase } from '../../src/project/draft-database.js';
import { draftYaml } from '../../src/cli/draft-yaml.js';
import { LOOSER } from '../support/looser.js';
import { describeMariadb } from '../support/mariadb.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

const TABLES = 500;
const SECONDS_MAX = 2 * LOOSER;

describe('500 tables on PostgreSQL', () => {
  suite(useOwnPostgresql(manyTablesSql()));
});

describeMariadb('500 tables', () => {
  suite(useOwnMariadb(manyTablesSql()));
});

/** Tables with ten columns, each with a reference to the previous table. */
function manyTablesSql(): string {
  const others = Array.from({ length: 7 }, (_, index) => `text_${index} varchar(80)`);
  return Array.from({ length: TABLES }, (_, number) => {
    const before = number === 0 ? 0 : number - 1;
    const columns = ['id integer PRIMARY KEY', 'before_id integer', ...others];
    return (
      `CREATE TABLE table_${number} (${columns.join(', ')}, code varchar(20) NOT NULL UNIQUE, ` +
      `FOREIGN KEY (before_id) REFERENCES table_${before} (id));`
    );
  }).join('\n');
}

function suite(database: OwnDatabase): void {
  test(`are drafted and written in less than ${SECONDS_MAX} s`, async () => {
    const times: number[] = [];
    for (let run = 0; run < 3; run += 1) {
      const start = performance.now();
      const drafted = await draftDatabase({ url: database.url, schemas: [] });
      const text = draftYaml(drafted, 'a test');
      times.push((performance.now() - start) / 1000);
      expect(drafted.draft.entities).toHaveLength(TABLES);
      expect(text.match(/target: /g)).toHaveLength(TABLES);
    }
    // The fastest run counts, because the machine may be busy.
    expect(Math.min(...times)).toBeLessThan(SECONDS_MAX);
  });
}
