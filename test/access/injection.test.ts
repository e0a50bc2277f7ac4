/** No text of a client becomes SQL, on both databases; see `injection-suite`. */
import { describe } from 'vitest';
import { startMariadbViews } from '../mariadb/views-fixture.js';
import { describeMariadb } from '../support/mariadb.js';
import { startViewsFixture } from '../views/views-fixture.js';
import { describeInjection } from './injection-suite.js';

describe('a hostile text on PostgreSQL', () => {
  describeInjection(startViewsFixture);
});
describeMariadb('a hostile text', () => {
  describeInjection(startMariadbViews);
});
