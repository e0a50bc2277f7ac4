/** No text of a client becomes SQL, on both databases; see `injection-suite`. */
import { afterAll, describe } from 'vitest';
import { describeOwnMariadb } from '../support/mariadb.js';
import { describeInjection } from './injection-suite.js';
import { startMariadbTarget, startPostgresqlTarget } from './injection-targets.js';

describe('a hostile text on PostgreSQL', () => {
  describeInjection(startPostgresqlTarget);
});
describeOwnMariadb('a hostile text', (start) => {
  const options = ['--general-log', '--general-log-file=general.log', '--log-output=FILE'];
  let stop = () => Promise.resolve();
  afterAll(() => stop());
  describeInjection(async () => {
    const own = await start(options);
    stop = own.stop;
    return startMariadbTarget(own.server);
  });
});
