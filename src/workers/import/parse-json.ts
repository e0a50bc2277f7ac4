/** Parses JSON of an import document from UTF-8 bytes, and keeps all digits of its numbers. */
import { isUtf8 } from 'node:buffer';
import { type DataValue, EngineError } from '../../engine/index.js';
import { parseData } from '../parse-data.js';

/** The value of the bytes between two texts; undefined if that is not JSON. */
export function parseJson(bytes: Buffer, before: string, behind: string): DataValue | undefined {
  if (!isUtf8(bytes)) return undefined;
  try {
    return parseData(before + bytes.toString('utf8') + behind);
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}
