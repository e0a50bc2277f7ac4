/** Rows to JSON: the engine's writer from texts, beside JSON.stringify and fast-json-stringify. */
import { isDeepStrictEqual } from 'node:util';
import fastJson from 'fast-json-stringify';
import { createWriter } from '../../dist/engine/index.js';
import type { RowsResult } from './result.js';
import { compileOnSample } from './sample-catalog.js';

const ROWS = 100_000;
const REPEATS = 5;
/** As a worker does: rows leave in chunks, not as one text. */
const CHUNK_LENGTH = 65_536;

/** Twelve columns of all sorts: those of an order but for two. */
const EXPRESSION = `Orders.map(p=>({id:p.id,customerId:p.customerId,employeeId:p.employeeId,
  orderDate:p.orderDate,requiredDate:p.requiredDate,shipViaId:p.shipViaId,freight:p.freight,
  name:p.name,address:p.address,city:p.city,region:p.region,country:p.country}))`;

type Texts = readonly (string | null)[];

/** The best of some repeats of each way, in turns. The ways must make the same JSON. */
export function benchRows(): readonly RowsResult[] {
  const rows = Array.from({ length: ROWS }, (_, index) => textsOf(index));
  const ways = [
    { way: "the engine's writer, from texts", run: byWriter() },
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

function byWriter(): Run {
  const writer = createWriter(compileOnSample(EXPRESSION).root, { pretty: false });
  const { frame } = writer;
  return (rows) => {
    const chunks: Buffer[] = [];
    let text = frame.open;
    for (const [index, fields] of rows.entries()) {
      if (index > 0) text += frame.separator;
      text += writer.row(fields, []);
      if (text.length < CHUNK_LENGTH) continue;
      chunks.push(Buffer.from(text));
      text = '';
    }
    chunks.push(Buffer.from(text + frame.close));
    return Buffer.concat(chunks);
  };
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

/** What a driver makes of a row. */
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
  if (!isSame) throw new Error('The ways to JSON do not agree.');
}
