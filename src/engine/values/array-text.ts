/**
 * Converts the text forms of arrays. The canonical form is JSON: a list of the canonical texts of the
 * items. PostgreSQL sends literals (manual, 8.15, "Array Input and Output Syntax"), and other databases
 * JSON.
 */
import { replaceAround, stringEnd } from './quoted-strings.js';

/** The canonical texts of items, some of which may be arrays. */
export type NestedTexts = readonly (string | null | NestedTexts)[];

/** The canonical texts of the items of an array. */
export function itemTexts(canonical: string): readonly (string | null)[] {
  return nestedTexts(canonical).map((item) => (typeof item === 'string' ? item : null));
}

/** The same for an array that may have several dimensions. */
export function nestedTexts(canonical: string): NestedTexts {
  return textsIn(JSON.parse(canonical));
}

function textsIn(items: unknown): NestedTexts {
  if (!Array.isArray(items)) return [];
  return items.map((item: unknown) => {
    if (Array.isArray(item)) return textsIn(item);
    return typeof item === 'string' ? item : null;
  });
}

/** The canonical text of an array. */
export function textOfItems(items: NestedTexts): string {
  return JSON.stringify(items);
}

/** The items of an array as the database sends it. */
export function storedItems(text: string): readonly (string | null)[] {
  return itemTexts(arrayJson(text, (item) => JSON.stringify(item)));
}

/**
 * Converts an array from the database's form to JSON; `encode` writes its items. Arrays may be nested.
 */
export function arrayJson(text: string, encode: (item: string) => string): string {
  const literal = text.replace(/^(?:\[-?\d+:-?\d+\])+=(?=\{)/, '');
  const isLiteral = literal.startsWith('{') && !isObject(literal);
  return isLiteral ? literalJson(literal, encode) : documentJson(text, encode);
}

/** Whether the text begins like a JSON object, which no array literal does. */
function isObject(text: string): boolean {
  if (!/^\{\s*"/.test(text)) return false;
  const end = stringEnd(text, text.indexOf('"'));
  return end !== -1 && /^\s*:/.test(text.slice(end));
}

function literalJson(literal: string, encode: (item: string) => string): string {
  return replaceAround(literal, {
    string: (token) => encode(token.slice(1, -1).replace(/\\(.)/gs, '$1')),
    between: (part) =>
      part.replace(/[{},]|[^{},"]+/g, (token) => {
        if (token === '{') return '[';
        if (token === '}') return ']';
        if (token === ',') return token;
        return token === 'NULL' ? 'null' : encode(token);
      }),
  });
}

/** A document that is not an array is left unchanged as far as possible. */
function documentJson(document: string, encode: (item: string) => string): string {
  return replaceAround(document, {
    string: (token) => encode(String(JSON.parse(token))),
    between: (part) =>
      part.replace(/[{}[\],:]|\s+|[^\s{}[\],:"]+/g, (token) => {
        if (/^[{}[\],:]$/.test(token)) return token;
        if (token.trim() === '') return '';
        return token === 'null' ? token : encode(token);
      }),
  });
}
