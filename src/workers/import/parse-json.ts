/** JSON of an import's document: bytes in UTF-8 as values, with every digit of their numbers. */
import { isUtf8 } from 'node:buffer';
import { type DataValue, EngineError } from '../../engine/index.js';
import { parseData } from '../parse-data.js';

/** The value of bytes with a text before and behind them; undefined when that is not JSON. */
export function parseJson(bytes: Buffer, before: string, behind: string): DataValue | undefined {
  if (!isUtf8(bytes)) return undefined;
  try {
    return parseData(before + bytes.toString('utf8') + behind);
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}
