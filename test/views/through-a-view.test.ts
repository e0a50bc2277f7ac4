/** A view hides its data on PostgreSQL. */
import { describeViews } from './view-suites.js';
import { startViewsFixture } from './views-fixture.js';

describeViews(startViewsFixture);
