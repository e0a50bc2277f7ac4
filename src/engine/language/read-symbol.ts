/** Reads brackets, separators and operators: always the longest that matches. */
import { syntaxError } from './source.js';
import type { EngineError } from '../errors.js';
import { symbols, type SymbolKind, type Token } from './tokens.js';

interface Spelling {
  readonly text: string;
  readonly kind: SymbolKind;
}

/**
 * The symbol at `start`.
 *
 * @throws EngineError `query-syntax` if no symbol starts there
 */
export function readSymbol(text: string, start: number): Token {
  const spellings = spellingsByFirstUnit[text.charCodeAt(start)] ?? [];
  for (const spelling of spellings) {
    const { length } = spelling.text;
    if (length > 1 && !text.startsWith(spelling.text, start)) continue;
    return { kind: spelling.kind, start, end: start + length, value: '' };
  }
  throw unexpectedCharacter(text, start);
}

/** For parameters as SQL and its drivers write them. */
export const PARAMETER_HINT = "Write a parameter as its name alone: 'p.id==id'.";

function unexpectedCharacter(text: string, start: number): EngineError {
  const point = text.codePointAt(start) ?? 0;
  const character = String.fromCodePoint(point);
  const number = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  const name = showable.test(character) ? `'${character}' (${number})` : number;
  const span = { start, end: start + character.length };
  const hint = character === '@' ? PARAMETER_HINT : undefined;
  return syntaxError(`Unexpected character ${name}.`, { text, span, hint });
}

/** Characters that errors show: letters, marks, numbers, punctuation and signs, but no controls. */
const showable = /^[\p{L}\p{N}\p{P}\p{S}]$/u;

const otherSpellings: readonly Spelling[] = [
  { text: '===', kind: '==' },
  { text: '!==', kind: '!=' },
  { text: '<>', kind: '!=' },
];

const spellingsByFirstUnit = groupByFirstUnit([
  ...otherSpellings,
  ...symbols.map((symbol) => ({ text: symbol, kind: symbol })),
]);

/** Longer symbols come first, so the first match is the longest. */
function groupByFirstUnit(spellings: readonly Spelling[]): readonly (readonly Spelling[])[] {
  const groups = Array.from({ length: 128 }, (): Spelling[] => []);
  for (const spelling of spellings.toSorted((a, b) => b.text.length - a.text.length)) {
    groups[spelling.text.charCodeAt(0)]?.push(spelling);
  }
  return groups;
}
