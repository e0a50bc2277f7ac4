/**
 * Writes rows as JSON: the engine's writer from bytes, compared with JSON.stringify and
 * fast-json-stringify.
 */
import { isDeepStrictEqual } from 'node:util';
import fastJson from 'fast-json-stringify';
import { createByteWriter, OutputBytes, RowBytes } from '../../dist/engine/index.js';
import type { RowsResult } from './result.js';
import { compileOnSample } from './sample-catalog.js';

const ROWS = 100_000;
const REPEATS = 5;
/** As in a worker, rows are sent in chunks instead of as one text. */
const CHUNK_BYTES = 65_536;

/** Twelve columns of different types: those of an order except for two. */
const EXPRESSION = `Orders.map(p=>({id:p.id,customerId:p.customerId,employeeId:p.employeeId,
  orderDate:p.orderDate,requiredDate:p.requiredDate,shipViaId:p.shipViaId,freight:p.freight,
  name:p.name,address:p.address,city:p.city,region:p.region,country:p.country}))`;

type Texts = readonly (string | null)[];

/** The best of several repetitions of each way, in turns. All ways must give the same JSON. */
export function benchRows(): readonly RowsResult[] {
  const rows = Array.from({ length: ROWS }, (_, index) => textsOf(index));
  const ways = [
    { way: "the engine's writer, from bytes", run: byWriter(rows) },
    { way: 'objects, JSON.stringify', run: byStringify() },
    { way: 'objects, fast-json-stringify', run: byFastJson() },
  ];
  checkSame(
    rows.slice(0, 100),
    ways.map(({ run }) => run),
  );
  const spent = ways.map(() => Number.POSITIVE_INFINITY);
  const processor = ways.map(() => Number.POSITIVE_INFINITY);
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    for (const [index, { run }] of ways.entries()) {
      const cpuBefore = process.cpuUsage();
      const before = performance.now();
      run(rows);
      spent[index] = Math.min(spent[index] ?? 0, performance.now() - before);
      const { user, system } = process.cpuUsage(cpuBefore);
      processor[index] = Math.min(processor[index] ?? 0, (user + system) / 1000);
    }
  }
  return ways.map(({ way }, index) => ({
    way,
    rowsPerSecond: (ROWS / (spent[index] ?? 0)) * 1000,
    processorMs: processor[index] ?? 0,
  }));
}

type Run = (rows: readonly Texts[]) => Buffer;

/** Its rows are bytes, as a database sends them. */
function byWriter(all: readonly Texts[]): Run {
  const { root } = compileOnSample(EXPRESSION);
  const writer = createByteWriter(root, { pretty: false }, decode);
  const { frame } = writer;
  const bytes = new RowBytes();
  for (const texts of all) bytes.push(dataRow(texts), 0);
  const fetched = { rows: bytes, includes: [] };
  return (rows) => {
    const chunks: Uint8Array[] = [];
    const out = new OutputBytes(CHUNK_BYTES);
    out.constant(frame.open);
    for (let row = 0; row < rows.length; row += 1) {
      if (row > 0) out.constant(frame.separator);
      writer.row(out, fetched, row);
      if (out.length >= CHUNK_BYTES) chunks.push(out.take());
    }
    out.constant(frame.close);
    chunks.push(out.take());
    return Buffer.concat(chunks);
  };
}

function decode(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}

/** The number of fields, then each field's length and text. */
function dataRow(texts: Texts): Buffer {
  const count = Buffer.alloc(2);
  count.writeUInt16BE(texts.length);
  return Buffer.concat([count, ...texts.map(fieldBytes)]);
}

function fieldBytes(text: string | null): Buffer {
  const bytes = Buffer.from(text ?? '');
  const length = Buffer.alloc(4);
  length.writeInt32BE(text === null ? -1 : bytes.length);
  return Buffer.concat([length, bytes]);
}

function byStringify(): Run {
  return (rows) => Buffer.from(JSON.stringify(rows.map(objectOf)));
}

function byFastJson(): Run {
  const text = { type: ['string', 'null'] } as const;
  const number = { type: 'number' } as const;
  const properties = {
    ...{ id: number, customerId: text, employeeId: number, orderDate: text, requiredDate: text },
    ...{ shipViaId: number, freight: number, name: text, address: text, city: text },
    ...{ region: text, country: text },
  };
  const write = fastJson({ type: 'array', items: { type: 'object', properties } });
  return (rows) => Buffer.from(write(rows.map(objectOf)));
}

/** A row as a driver returns it. */
function objectOf(texts: Texts) {
  return {
    id: Number(texts[0]),
    customerId: texts[1],
    employeeId: Number(texts[2]),
    orderDate: new Date(`${texts[3]?.replace(' ', 'T')}Z`).toISOString(),
    requiredDate: `${texts[4]}T00:00:00.000Z`,
    shipViaId: Number(texts[5]),
    freight: Number(texts[6]),
    name: texts[7],
    address: texts[8],
    city: texts[9],
    region: texts[10],
    country: texts[11],
  };
}

/** A row as PostgreSQL sends it. */
function textsOf(index: number): Texts {
  const day = String(1 + (index % 28)).padStart(2, '0');
  return [
    ...[String(index), `C${index % 1000}`, String(index % 9)],
    ...[`2024-03-${day} 08:15:${day}.25`, `2024-04-${day}`, String(1 + (index % 3))],
    ...[`${index % 500}.25`, `Customer "${index}"`, `${index} High Street`, 'São Paulo'],
    ...[index % 4 === 0 ? null : 'SP', 'Brazil'],
  ];
}

function checkSame(rows: readonly Texts[], ways: readonly Run[]): void {
  const answers = ways.map((run) => JSON.parse(run(rows).toString()));
  const isSame = answers.every((answer) => isDeepStrictEqual(answer, answers[0]));
  if (!isSame) throw new Error('The writers of JSON do not agree.');
}
