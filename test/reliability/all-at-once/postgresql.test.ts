import { describeAllAtOnce } from '../parts/all-at-once.js';
import { describePostgresql } from '../parts/database.js';

describeAllAtOnce(describePostgresql, 0);
