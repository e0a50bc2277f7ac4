/** Rowgate evaluates random expressions over a row as the independent evaluator does. */
import { expect, test } from 'vitest';
import { parseExpression } from '../../src/engine/language/parse-expression.js';
import type { Expression } from '../../src/engine/language/ast.js';
import { isEvaluable } from '../../src/engine/query/write/evaluable.js';
import { Decimal } from '../../src/engine/values/evaluate/decimal.js';
import { evaluate as evaluateAsRowgate } from '../../src/engine/values/evaluate/evaluate.js';
import { EvaluationError } from '../../src/engine/values/evaluate/evaluation-error.js';
import { type Value, valueOfText } from '../../src/engine/values/evaluate/value.js';
import { evaluate } from './evaluate/expression.js';
import type { Row } from './evaluate/tables.js';
import { Unsure } from './evaluate/unsure.js';
import { expression } from './generate/expression.js';
import { createSketch, scopeOf } from './generate/sketch.js';
import { parseAnswer } from './judge/answered.js';
import { difference } from './judge/differences.js';
import { limits } from './judge/judge.js';
import { createRandom, type Random } from './random.js';
import { hasMoment } from './write/evaluated-functions.js';
import type { Domain, Entity, PropertyType } from './world/domain.js';
import { makeDomain } from './world/make-domain.js';
import { makeRows } from './world/make-rows.js';
import { valueJson } from './world/schema-file.js';

const DOMAINS = 12;
const EXPRESSIONS = 1000;

const types: readonly PropertyType[] = ['integer', 'decimal', 'string', 'boolean'];

test('Rowgate evaluates expressions like the databases', () => {
  const random = createRandom('evaluated');
  const faults: string[] = [];
  let judged = 0;
  for (let number = 0; number < DOMAINS; number += 1) {
    const domain = makeDomain(random);
    const tables = makeRows(random, domain);
    for (let each = 0; each < EXPRESSIONS; each += 1) {
      const entity = random.pick(domain.entities);
      const rows = tables.get(entity.name) ?? [];
      const text = rows.length > 0 ? makeExpression(random, domain, entity) : undefined;
      if (text === undefined) continue;
      const fault = faultOf(text, entity, random.pick(rows));
      if (fault === 'unsure') continue;
      judged += 1;
      if (fault !== undefined) faults.push(`${text}: ${fault}`);
    }
  }
  expect(faults).toEqual([]);
  expect(judged).toBeGreaterThan(4000);
});

/** An expression without parameters that Rowgate can evaluate; undefined if it is another one. */
function makeExpression(random: Random, domain: Domain, entity: Entity): string | undefined {
  const sketch = createSketch(random, domain, expression);
  const properties = entity.properties.filter(({ type }) => types.includes(type));
  const scope = { ...scopeOf(sketch, { ...entity, properties }, 'p'), isOwn: true };
  const letter = random.pick(['s', 's', 'i', 'd', 'b'] as const);
  const text = expression(scope, letter, 1 + random.below(2), '^');
  const parsed = parseExpression(text, limits);
  const isOpen = hasMoment(parsed);
  return sketch.parameters.size === 0 && !isOpen && isEvaluable(parsed) ? text : undefined;
}

function faultOf(text: string, entity: Entity, row: Row): string | undefined {
  const parsed = parseExpression(text, limits);
  const outside = { domain: { entities: [entity] }, tables: new Map(), data: null };
  const variables = new Map([['p', { entity, row }]]);
  try {
    const value = evaluate({ evaluate, ...outside, variables, nullsEqual: true }, parsed);
    return difference({ kind: 'value', value }, parseAnswer(jsonOf(found(parsed, entity, row))));
  } catch (error) {
    if (error instanceof Unsure || error instanceof EvaluationError) return 'unsure';
    throw error;
  }
}

const same = (text: string) => text;

function found(parsed: Expression, { properties }: Entity, row: Row): Value {
  const valueAt = ([, name = '']: readonly string[]): Value => {
    const value = row.get(name) ?? null;
    const type = properties.find((each) => each.name === name)?.type ?? 'any';
    if (value === null || type === 'enum') return null;
    return valueOfText(typeof value === 'string' ? value : valueJson(value), type);
  };
  const now = '2024-05-06T07:08:09.123456Z';
  return evaluateAsRowgate(parsed, { now, cipher: { encrypt: same, decrypt: same }, valueAt });
}

function jsonOf(value: Value): string {
  return value instanceof Decimal ? value.toString() : JSON.stringify(value);
}
