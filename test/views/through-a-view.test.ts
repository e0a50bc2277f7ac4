/** Nothing is seen through a view, on PostgreSQL. */
import { describeViews } from './view-suites.js';
import { startViewsFixture } from './views-fixture.js';

describeViews(startViewsFixture);
