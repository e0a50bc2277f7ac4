/**
 * The texts of arrays. The canonical one is the JSON text of a list of the items' canonical texts;
 * PostgreSQL sends literals (manual, 8.15, "Array Input and Output Syntax"), other databases JSON.
 */

/** The items' canonical texts of an array's. */
export function itemTexts(canonical: string): readonly (string | null)[] {
  const items: unknown = JSON.parse(canonical);
  if (!Array.isArray(items)) return [];
  return items.map((item: unknown) => (typeof item === 'string' ? item : null));
}

/** The canonical text of an array. */
export function textOfItems(items: readonly (string | null)[]): string {
  return JSON.stringify(items);
}

/** The items of an array as the database sends it. */
export function storedItems(text: string): readonly (string | null)[] {
  return itemTexts(arrayJson(text, (item) => JSON.stringify(item)));
}

/** An array as the database sends it as JSON, whose items `encode` writes; arrays may nest. */
export function arrayJson(text: string, encode: (item: string) => string): string {
  const literal = text.replace(/^(?:\[-?\d+:-?\d+\])+=(?=\{)/, '');
  const isLiteral = literal.startsWith('{') && !objectPattern.test(literal);
  return isLiteral ? literalJson(literal, encode) : documentJson(text, encode);
}

/** How an object of JSON begins, and no literal. */
const objectPattern = /^\{\s*"(?:[^"\\]|\\.)*"\s*:/s;

function literalJson(literal: string, encode: (item: string) => string): string {
  return literal.replace(/"(?:[^"\\]|\\.)*"|[{},]|[^{},"]+/gs, (token) => {
    if (token === '{') return '[';
    if (token === '}') return ']';
    if (token === ',') return token;
    if (token.startsWith('"')) return encode(token.slice(1, -1).replace(/\\(.)/gs, '$1'));
    return token === 'NULL' ? 'null' : encode(token);
  });
}

/** What is no array stays as it is, as far as it can. */
function documentJson(document: string, encode: (item: string) => string): string {
  return document.replace(/"(?:[^"\\]|\\.)*"|[{}[\],:]|\s+|[^\s{}[\],:"]+/g, (token) => {
    if (/^[{}[\],:]$/.test(token)) return token;
    if (token.startsWith('"')) return encode(String(JSON.parse(token)));
    if (token.trim() === '') return '';
    return token === 'null' ? token : encode(token);
  });
}
