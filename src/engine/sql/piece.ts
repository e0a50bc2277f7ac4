/** Pieces of SQL with their precedence, and the parentheses that they need. */

export const precedence = {
  or: 1,
  and: 2,
  not: 3,
  comparison: 4,
  operator: 5,
  join: 6,
  sum: 7,
  product: 8,
  atom: 9,
} as const;
export type Precedence = (typeof precedence)[keyof typeof precedence];

export interface Piece {
  readonly sql: string;
  readonly precedence: Precedence;
}

/** The piece, parenthesized if its precedence is below `least`. */
export function within(piece: Piece, least: Precedence): string {
  return piece.precedence < least ? `(${piece.sql})` : piece.sql;
}

export function atom(sql: string): Piece {
  return { sql, precedence: precedence.atom };
}

export function operator(sql: string): Piece {
  return { sql, precedence: precedence.operator };
}
