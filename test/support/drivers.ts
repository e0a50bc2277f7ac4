/** The drivers of all databases, for sources without a worker thread. */
import { loadDrivers } from '../../src/workers/database/drivers.js';

export const driverOf = await loadDrivers([
  { dialect: 'PostgreSQL' },
  { dialect: 'MariaDB' },
  { dialect: 'MySQL' },
]);
