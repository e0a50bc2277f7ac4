import { describeAllAtOnce } from '../parts/all-at-once.js';
import { describeMariadb } from '../parts/database.js';

describeAllAtOnce(describeMariadb, 1);
