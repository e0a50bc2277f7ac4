/** How MySQL and MariaDB encode the values of a column. */
import { expect, test } from 'vitest';
import { readColumn, Wire } from '../../../src/workers/database/mysql/columns.js';

const BINARY = 63;
const UTF8 = 255;

/** A ColumnDefinition packet with six short texts. */
function definition(type: number, charset: number): Buffer {
  const texts = Buffer.from(
    ['def', 'd', 't', 't', 'c', 'c']
      .map((text) => `${String.fromCharCode(text.length)}${text}`)
      .join(''),
  );
  const rest = Buffer.alloc(13);
  rest[0] = 12;
  rest.writeUInt16LE(charset, 1);
  rest[7] = type;
  return Buffer.concat([texts, rest]);
}

test.each([
  ['VECTOR of MySQL', 242, BINARY, Wire.binary],
  ['GEOMETRY', 255, BINARY, Wire.binary],
  ['BLOB', 252, BINARY, Wire.binary],
  ['TEXT', 252, UTF8, Wire.text],
  ['JSON of MySQL', 245, BINARY, Wire.text],
  ['DECIMAL', 246, BINARY, Wire.text],
])('%s', (_, type, charset, wire) => {
  const bytes = definition(type, charset);
  expect(readColumn(bytes, 0, bytes.length)).toBe(wire);
});
