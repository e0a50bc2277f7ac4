/**
 * Generates smaller queries from a given one, by the spans of its syntax tree. The largest steps come
 * first.
 */
import type { Span } from '../../../src/engine/errors.js';
import type { Expression } from '../../../src/engine/language/ast.js';
import { parseQuery } from '../../../src/engine/language/parse-query.js';
import { limits } from '../judge/judge.js';

/** A part of the text, and its replacements. */
interface Replacement {
  readonly span: Span;
  readonly by: string;
}

/** Shorter texts, which may be invalid. */
export function smallerQueries(text: string): readonly string[] {
  const { clauses } = parseQuery(text, limits);
  const replacements: Replacement[] = [];
  for (const { nameSpan, span, arguments: given } of clauses) {
    replacements.push({ span: { start: nameSpan.start - 1, end: span.end }, by: '' });
    for (const each of given) visit(text, each, replacements);
  }
  replacements.push(...parentheses(text));
  return replacements
    .filter(({ span, by }) => by.length < span.end - span.start)
    .toSorted((a, b) => saved(b) - saved(a))
    .map(({ span, by }) => text.slice(0, span.start) + by + text.slice(span.end));
}

function saved({ span, by }: Replacement): number {
  return span.end - span.start - by.length;
}

function visit(text: string, expression: Expression, found: Replacement[]): void {
  const { span } = expression;
  const parts = partsOf(expression);
  const isValue = !['lambda', 'list', 'object'].includes(expression.kind);
  if (isValue) {
    for (const part of parts) found.push({ span, by: operand(text, part) });
    for (const by of ['null', 'true', 'false', '0', '1', '""', '"a"', '1.5'])
      found.push({ span, by });
  }
  if (expression.kind === 'call' && expression.receiver) {
    found.push({ span, by: slice(text, expression.receiver.span) });
  }
  if (expression.kind === 'list') {
    for (const item of expression.items) found.push({ span, by: slice(text, item.span) });
    found.push(
      ...withoutEach(
        text,
        span,
        expression.items.map((item) => item.span),
      ),
    );
  }
  if (expression.kind === 'object') {
    const entries = expression.entries.map(({ keySpan, value }) => ({
      start: keySpan.start,
      end: value.span.end,
    }));
    found.push(...withoutEach(text, span, entries));
  }
  for (const part of parts) visit(text, part, found);
}

/** The list or object without one of its items. */
function withoutEach(text: string, span: Span, items: readonly Span[]): readonly Replacement[] {
  if (items.length < 2) return [];
  const [first, last] = [items[0], items.at(-1)];
  if (!first || !last) return [];
  return items.map((_, out) => {
    const kept = items.filter((__, index) => index !== out).map((item) => closed(text, item));
    return {
      span,
      by:
        text.slice(span.start, first.start) +
        kept.join(', ') +
        text.slice(closedEnd(text, last), span.end),
    };
  });
}

/** The end of an item, after the parentheses around its value. */
function closedEnd(text: string, { start, end }: Span): number {
  let [depth, at] = [0, start];
  for (; at < end; at += 1) depth += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0;
  while (depth > 0 && text[at] === ')') [depth, at] = [depth - 1, at + 1];
  return at;
}

function closed(text: string, span: Span): string {
  return text.slice(span.start, closedEnd(text, span));
}

/** The expressions directly inside of an expression. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'unary':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'conditional':
      return [expression.test, expression.consequent, expression.alternate];
    case 'call':
      return expression.receiver
        ? [expression.receiver, ...expression.arguments]
        : expression.arguments;
    case 'list':
      return expression.items;
    case 'object':
      return expression.entries.map(({ value }) => value);
    case 'lambda':
      return [expression.body];
    default:
      return [];
  }
}

/** Adds parentheses if the operand needs them. */
function operand(text: string, { kind, span }: Expression): string {
  const part = slice(text, span);
  return ['binary', 'conditional', 'unary'].includes(kind) ? `(${part})` : part;
}

function slice(text: string, { start, end }: Span): string {
  return text.slice(start, end);
}

/** Each pair of parentheses that may be omitted. */
function parentheses(text: string): readonly Replacement[] {
  const open: number[] = [];
  const found: Replacement[] = [];
  for (const [at, letter] of [...text].entries()) {
    if (letter === '(') open.push(at);
    const start = letter === ')' ? open.pop() : undefined;
    if (start === undefined) continue;
    found.push({ span: { start, end: at + 1 }, by: text.slice(start + 1, at) });
  }
  return found;
}
