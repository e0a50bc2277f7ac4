/** Programs that a fixture starts, which stop with it. */
import { type Program, startProgram } from '../support/program.js';

/** Starts programs with a schema file, and stops those that still run. */
export function runPrograms(schema: string) {
  const running = new Set<Program>();
  return {
    start: async (flags: readonly string[] = []): Promise<Program> => {
      const program = await startProgram(['--workers', '2', '--schema', schema, ...flags]);
      running.add(program);
      void program.ended.then(() => running.delete(program));
      return program;
    },
    stopPrograms: async (): Promise<void> => {
      await Promise.all([...running].map((program) => program.stop()));
    },
  };
}
