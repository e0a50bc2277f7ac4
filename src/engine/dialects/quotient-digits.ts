/**
 * Behind its point, a quotient or an average of exact numbers has at most so many digits, and is
 * rounded there: each database would choose a number of its own.
 */
export const QUOTIENT_DIGITS = 20;
