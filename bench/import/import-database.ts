/** The database of the import cases: products and orders, and an empty table of details. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { type DatabaseConnection, withClient } from '../database.js';
import { PRODUCTS } from '../rows.js';

const DETAILS_PER_ORDER = 50;
const PIECE_LENGTH = 1 << 20;

/** A summary of the stored rows. */
export interface StoredRows {
  readonly rows: number;
  readonly checksum: string;
}

/** Empties the table, and waits until earlier writes are on disk. */
export async function emptyDetails(connection: DatabaseConnection): Promise<void> {
  await withClient(connection, async (client) => {
    await client.query('TRUNCATE "Order Details"');
    await client.query('CHECKPOINT');
  });
}

/** Counts the stored rows, and computes a sum that does not depend on their order. */
export async function readStored(connection: DatabaseConnection): Promise<StoredRows> {
  const { rows } = await withClient(connection, (client) =>
    client.query<StoredRows>(
      `SELECT count(*)::int AS rows, sum(hashtextextended(t::text, 0))::text AS checksum
       FROM "Order Details" t`,
    ),
  );
  const [stored] = rows;
  if (stored === undefined) throw new Error('The database returned no count.');
  return stored;
}

/** Writes the same rows as JSON objects within a frame, and as lines for COPY. */
export function writeRows(
  rows: number,
  { file, frame: [open, close] }: { readonly file: string; readonly frame: Frame },
  linesFile: string,
): void {
  writePieces(
    rows,
    { file, open, close },
    ([order, product, price, quantity, discount], index) =>
      `${index === 0 ? '' : ','}{"orderId":${order},"productId":${product},"unitPrice":${price},` +
      `"quantity":${quantity},"discount":${discount}}`,
  );
  writePieces(rows, { file: linesFile, open: '', close: '' }, (row) => `${row.join('\t')}\n`);
}

type Frame = readonly [open: string, close: string];

type Row = readonly [number, number, number, number, number];

interface Framed {
  readonly file: string;
  readonly open: string;
  readonly close: string;
}

function writePieces(
  rows: number,
  { file, open, close }: Framed,
  write: (row: Row, index: number) => string,
): void {
  const descriptor = openSync(file, 'w');
  let piece = open;
  for (let index = 0; index < rows; index += 1) {
    const order = 1 + Math.floor(index / DETAILS_PER_ORDER);
    const product = 1 + ((order * 7 + (index % DETAILS_PER_ORDER) * 199) % PRODUCTS);
    const row = [order, product, ((index * 37) % 10_000) / 100, 1 + (index % 20), (index % 4) / 20];
    const [, , price = 0, quantity = 0, discount = 0] = row;
    piece += write([order, product, price, quantity, discount], index);
    if (piece.length < PIECE_LENGTH) continue;
    writeSync(descriptor, piece);
    piece = '';
  }
  writeSync(descriptor, piece + close);
  closeSync(descriptor);
}
