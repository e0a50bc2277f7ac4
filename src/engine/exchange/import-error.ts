/** The faults of an import that its sender can mend: what is wrong, and where in the document. */
import type { Problem } from '../errors.js';

/** An import that was refused; nothing of it is stored. */
export class ImportError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.detail, options);
    this.name = 'ImportError';
    this.problem = problem;
  }
}

/** A document that is no JSON, or not of the shape of an import: `import-malformed`. */
export function malformed(place: string, detail: string, hint?: string): ImportError {
  return placed('import-malformed', place, detail, hint);
}

/** A name or a value that the schema does not allow: `import-invalid`. */
export function invalid(place: string, detail: string, hint?: string): ImportError {
  return placed('import-invalid', place, detail, hint);
}

function placed(code: string, place: string, detail: string, hint?: string): ImportError {
  return new ImportError({
    code,
    detail,
    ...(hint !== undefined && { hint }),
    ...(place !== '' && { place }),
  });
}
