/**
 * The seed of a run: the commit, so that each commit tests other queries; a constant outside of a
 * repository.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** `ROWGATE_TEST_SEED` overrides it. */
export function seedOfRun(): string {
  return process.env['ROWGATE_TEST_SEED'] ?? commit() ?? 'rowgate';
}

function commit(): string | undefined {
  try {
    const output = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: repository, stdio: 'pipe' });
    return output.toString().trim();
  } catch {
    return undefined;
  }
}
