/** A view hides its data on MariaDB, too; see `view-suites`. */
import { describeMariadb } from '../support/mariadb.js';
import { describeViews } from '../views/view-suites.js';
import { startMariadbViews } from './views-fixture.js';

describeMariadb('a view', () => {
  describeViews(startMariadbViews);
});
