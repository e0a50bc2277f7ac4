/**
 * How much looser limits of times and rates are in CI, where other work may share the processors: only a
 * fault that costs a multiple fails there.
 */
export const LOOSER = process.env['CI'] === undefined ? 1 : 3;
