/** Wrong usage of the command line: told in one sentence, and the program exits with 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
