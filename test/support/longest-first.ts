/**
 * Sorts the test files of a run: the longest start first, so that no processor waits for them at the
 * end.
 */
import type { TestSequencer, TestSpecification } from 'vitest/node';

/**
 * The longest files, in this order. The others are sorted by project, and those without servers come
 * last.
 */
const LONGEST = [
  'introspect/samples',
  'program/lifecycle',
  'reliability/distinct-queries',
  'introspect/import-faults',
  'reliability/broken-frames',
  'http/slow-senders',
  'lists/large-lists',
  'docs/install',
  'mariadb/write-cases',
  'program/large-rows',
  'mariadb/batches',
  'reliability/database-faults',
  'introspect/drift',
  'mariadb/failures',
  'crash/crash',
  'introspect/company',
  'introspect/push-and-diff',
  'introspect/every-type',
  'http/slow-readers',
  'program/throttled',
  'program/errors',
  'program/import',
  'http/whole-requests',
  'http/server',
  'program/command-line',
  'program/abort-storm',
  'workers/import-worker',
  'workers/write-graphs',
];

/** The vitest sequencer for the files of all projects. */
export class LongestFirst implements TestSequencer {
  sort(files: TestSpecification[]): TestSpecification[] {
    return files.toSorted((one, other) => rank(one) - rank(other));
  }

  shard(): never {
    throw new Error('Parts of a run are not divided by their files.');
  }
}

function rank({ moduleId, project }: TestSpecification): number {
  const place = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  if (place >= 0) return place;
  return LONGEST.length + (project.name === 'fast' ? 1 : 0);
}
