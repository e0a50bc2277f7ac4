/** The suites for views, on PostgreSQL. */
import { describeViews } from './view-suites.js';
import { startViewsFixture } from './views-fixture.js';

describeViews(startViewsFixture);
