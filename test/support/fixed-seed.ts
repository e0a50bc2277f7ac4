/**
 * Makes property tests run with the same values every time; imported for its side effect.
 * `ROWGATE_TEST_SEED` sets another seed.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['ROWGATE_TEST_SEED'] ?? '20261121') });
