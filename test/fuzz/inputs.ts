/**
 * Runs a check with many random inputs. `ROWGATE_TEST_FUZZ_INPUTS` is the number of inputs of each suite,
 * and `ROWGATE_TEST_SEED` selects other inputs. A failure prints the input.
 */
import { test } from 'vitest';
import { createRandom, type Random } from '../random/random.js';
import { LOOSER } from '../support/looser.js';

const SEED = process.env['ROWGATE_TEST_SEED'] ?? '20261125';
/** No input may take longer. */
export const LIMIT_MS = 1000 * LOOSER;
const FAULTS_MAX = 10;
const TEST_MS = 120_000;
/** More than any input takes on average. */
const INPUT_MS = 50;

type Check<Input> = (input: Input) => void | Promise<void | number>;

export interface Fuzzing<Input> {
  /** The number of inputs in `npm test`. */
  readonly usual: number;
  /** How many inputs are checked at the same time; one by default. */
  readonly atOnce?: number;
  /** Each input depends only on the seed and its number. */
  readonly make: (random: Random, number: number) => Input;
  /** Throws if something is wrong. May return how long the input took, in milliseconds. */
  readonly check: Check<Input>;
  /** Runs after the last input, and throws if something is wrong. */
  readonly after?: () => Promise<void>;
}

/** Declares a test of many inputs. */
export function fuzz<Input>(name: string, fuzzing: Fuzzing<Input>): void {
  const { usual, atOnce = 1, make, check, after } = fuzzing;
  const count = Number(process.env['ROWGATE_TEST_FUZZ_INPUTS'] ?? usual);
  const run = async (): Promise<void> => {
    const faults: string[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < count && faults.length < FAULTS_MAX) {
        const number = next++;
        const input = make(createRandom(`${SEED} ${name} ${number}`), number);
        const fault = await faultOf(check, input);
        if (fault)
          faults.push(`Input ${number} of seed ${SEED}: ${fault}\n${JSON.stringify(input)}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    await after?.().catch((error: unknown) => faults.push(String(error)));
    if (faults.length > 0) throw new Error(faults.join('\n\n'));
  };
  test(`${name} (${count} inputs)`, run, TEST_MS + count * INPUT_MS);
}

/** What is wrong with an input. It is checked again if it was slow: the machine may have been busy. */
async function faultOf<Input>(check: Check<Input>, input: Input): Promise<string | undefined> {
  let durationMs = Infinity;
  for (let tries = 0; tries < 2 && durationMs > LIMIT_MS; tries += 1) {
    const begin = performance.now();
    try {
      const tookMs = await check(input);
      durationMs = tookMs ?? performance.now() - begin;
    } catch (error) {
      return error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
  }
  return durationMs > LIMIT_MS ? `it took ${Math.round(durationMs)} ms` : undefined;
}
