/** An error has the same fields as in pg's own parser, with the severity in English. */
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import pg from 'pg';
import { expect, test } from 'vitest';
import { readErrorResponse } from '../../../src/workers/database/postgresql/error-response.js';
import '../../support/fixed-seed.js';

const value = fc
  .string({ unit: 'grapheme', maxLength: 30 })
  .map((text) => text.replaceAll('\0', ''));
const fields = fc.uniqueArray(fc.tuple(fc.constantFrom(...'SVCMDHPpqWstcdnFLRx'), value), {
  selector: ([code]) => code,
  maxLength: 19,
});

test('of any fields', async () => {
  await fc.assert(
    fc.asyncProperty(fields, fc.nat(5), async (given, before) => {
      const message = errorResponse(given);
      const expected = await parsedByPg(message);
      const bytes = Buffer.concat([Buffer.alloc(before, 1), message, Buffer.from('Z\0\0\0\x05I')]);
      const error = readErrorResponse(bytes, before, before + message.length);
      expect(error).toBeInstanceOf(pg.DatabaseError);
      expected.severity = new Map(given).get('V');
      expect(fieldsOf(error)).toEqual(fieldsOf(expected));
    }),
    { numRuns: 300 },
  );
});

test('of a truncated message, as far as it goes', () => {
  const message = errorResponse([
    ['C', '22012'],
    ['M', 'division by zero'],
  ]);
  const cut = message.subarray(0, message.length - 6);
  const error = readErrorResponse(cut, 0, cut.length);
  expect(error.code).toBe('22012');
});

function errorResponse(given: readonly (readonly [string, string])[]): Buffer {
  const body = Buffer.from(`${given.map(([code, text]) => `${code}${text}\0`).join('')}\0`);
  const header = Buffer.alloc(5);
  header.write('E', 'latin1');
  header.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([header, body]);
}

/** All own properties except the stack. */
function fieldsOf(error: pg.DatabaseError): unknown {
  const { message } = error;
  return {
    message,
    ...Object.fromEntries(Object.entries(error).filter(([, each]) => each !== undefined)),
  };
}

function parsedByPg(message: Buffer): Promise<pg.DatabaseError> {
  const stream = new PassThrough();
  const connection = new pg.Connection();
  const attach: unknown = Reflect.get(connection, 'attachListeners');
  if (typeof attach !== 'function') throw new Error('pg has changed: its reader was not found');
  return new Promise((resolve) => {
    connection.on('errorMessage', resolve);
    Reflect.apply(attach, connection, [stream]);
    stream.end(message);
  });
}
