/**
 * Random syntax trees with empty spans: every kind of expression in every place where it is allowed.
 */
import fc from 'fast-check';
import type {
  BinaryOperator,
  Expression,
  UnaryOperator,
} from '../../../src/engine/language/ast.js';

const span = { start: 0, end: 0 };
const nameSpan = span;

const binaryOperators: readonly BinaryOperator[] = [
  ...(['**', '*', '/', '%', '//', '+', '-', '<<', '>>', '<', '<=', '>', '>='] as const),
  ...(['==', '!=', '&', '^', '|', '&&', '||', '??'] as const),
];
const unaryOperators: readonly UnaryOperator[] = ['!', '-', '~'];

export const nameArbitrary = fc
  .stringMatching(/^[A-Za-z_$][A-Za-z0-9_$]{0,8}$/)
  .filter((name) => !['true', 'false', 'null'].includes(name));

/** Strings that a database can store: no lone surrogates and no U+0000. */
const textArbitrary = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('"', '\\', "'", '\n', '\u2028', 'é', '😀', 'n') }),
  )
  .map((text) => text.replaceAll('\0', ''));

const numberArbitrary = fc.constantFrom(
  '0',
  '7',
  '0.50',
  '.5',
  '5.',
  '1e3',
  '2.5E-7',
  '12345678901234567890',
);

const leafArbitrary: fc.Arbitrary<Expression> = fc.oneof(
  nameArbitrary.map((name) => ({ kind: 'name' as const, name, span })),
  textArbitrary.map((value) => ({ kind: 'text' as const, value, span })),
  numberArbitrary.map((text) => ({ kind: 'number' as const, text, span })),
  fc.boolean().map((value) => ({ kind: 'boolean' as const, value, span })),
  fc.constant({ kind: 'null' as const, span }),
);

export const expressionArbitrary: fc.Arbitrary<Expression> = fc.letrec<{ any: Expression }>(
  (tie) => {
    const any = tie('any');
    const items = fc.array(any, { maxLength: 3 });
    const entries = fc.array(
      fc.record({
        key: fc.oneof(nameArbitrary, textArbitrary),
        keySpan: fc.constant(span),
        value: any,
      }),
      { maxLength: 3 },
    );
    return {
      any: fc.oneof(
        { maxDepth: 6, depthSize: 'small' },
        leafArbitrary,
        fc
          .tuple(any, nameArbitrary)
          .map(([object, name]) => ({ kind: 'member' as const, object, name, nameSpan, span })),
        fc
          .tuple(fc.option(any, { nil: undefined }), nameArbitrary, items)
          .map(([receiver, name, given]) => ({
            kind: 'call' as const,
            receiver,
            name,
            nameSpan,
            open: 0,
            arguments: given,
            span,
          })),
        fc
          .tuple(fc.constantFrom(...unaryOperators), any)
          .map(([operator, operand]) => ({ kind: 'unary' as const, operator, operand, span })),
        fc.tuple(fc.constantFrom(...binaryOperators), any, any).map(([operator, left, right]) => ({
          kind: 'binary' as const,
          operator,
          left,
          right,
          operatorSpan: span,
          span,
        })),
        fc.tuple(any, any, any).map(([test, consequent, alternate]) => ({
          kind: 'conditional' as const,
          test,
          consequent,
          alternate,
          span,
        })),
        items.map((list) => ({ kind: 'list' as const, items: list, span })),
        entries.map((list) => ({ kind: 'object' as const, entries: list, span })),
        fc
          .tuple(fc.option(nameArbitrary, { nil: undefined }), any)
          .map(([parameter, body]) => ({ kind: 'lambda' as const, parameter, body, span })),
      ),
    };
  },
).any;
