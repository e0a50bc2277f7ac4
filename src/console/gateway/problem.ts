/** The problems that the gateway answers (RFC 9457). */

export interface Problem {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly code: string;
  readonly hint?: string;
  /** The place in the expression; lines and columns count from 1. */
  readonly position?: { readonly ln: number; readonly col: number };
  /** The place in the data. */
  readonly place?: string;
  readonly requestId?: string;
}

/** Thrown when the gateway answers with a problem, or does not answer. */
export class Refused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** The problem in the text of an answer. Any other text is converted to one. */
export function readProblem(status: number, text: string): Problem {
  const body = parsed(text);
  if (isProblem(body)) return body;
  const detail = text.trim() === '' ? 'The answer has no body.' : text.slice(0, 300);
  return { status, title: 'An unexpected answer', detail, code: `http-${status}` };
}

/** The problem of a request that was not answered. */
export function unanswered(cause: unknown): Problem {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const detail = `The gateway cannot be reached: ${reason}.`;
  return { status: 0, title: 'No answer', detail, code: 'unreachable' };
}

export function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  return 'code' in value && 'detail' in value && typeof value.detail === 'string';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
