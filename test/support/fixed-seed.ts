/**
 * Property tests give the same answer on every run: imported for its effect. `ROWGATE_TEST_SEED`
 * lets a run look elsewhere.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['ROWGATE_TEST_SEED'] ?? '20261121') });
