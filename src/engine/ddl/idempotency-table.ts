/** The one table of Rowgate's own, which no schema names: it is made where it is first needed. */

/** The name of the table of answers that are kept under idempotency keys. */
export const IDEMPOTENCY_TABLE = 'rowgate_idempotency';
