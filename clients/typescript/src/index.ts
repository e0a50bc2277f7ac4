/** The typed client of Rowgate. */
export * from './client.js';
export type { ErrorCode } from './error-codes.js';
export * from './errors.js';
export type * from './expressions.js';
export * from './functions.js';
export type * from './kinds.js';
export * from './operators.js';
export type * from './options.js';
export type { NewValues, Query, Selection, Table } from './query.js';
export type * from './relations.js';
export type { Answer, AnswerOptions, Request, RowsRequest } from './request.js';
export type * from './rows.js';
export type { Answers } from './transaction.js';
