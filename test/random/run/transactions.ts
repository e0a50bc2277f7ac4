/** Random transactions: either all of their steps have an effect, or none. */
import { LosslessNumber } from 'lossless-json';
import { parseQuery } from '../../../src/engine/language/parse-query.js';
import { codeOf, type Reply, describeReply } from '../drive/client.js';
import { answerQuery } from '../evaluate/answer.js';
import { type Data, Digits, isDataObject, jsonOfData } from '../evaluate/data.js';
import { parseDecimal, tooLarge } from '../evaluate/decimal.js';
import type { Tables } from '../evaluate/tables.js';
import { Unsure, unsure } from '../evaluate/unsure.js';
import { makeData } from '../generate/data.js';
import { newObject } from '../generate/object.js';
import { CROWD } from '../generate/clauses.js';
import { makeQuery } from '../generate/query.js';
import { makeWrite } from '../generate/write.js';
import { type Answered, isObject, parseAnswer } from '../judge/answered.js';
import { difference } from '../judge/differences.js';
import { limits, mayOverflow, type Question } from '../judge/judge.js';
import type { World } from '../drive/world.js';
import { entityNamed } from '../world/domain.js';
import { applyWrite, isWrite } from '../write/apply.js';
import { codesOf, codesOfFault } from '../write/outcome.js';
import type { Step } from './round.js';
import { tableFault } from '../judge/table-fault.js';
import { isRowByRow, refill } from '../judge/judge-write.js';

/** Sends steps that read and write, and compares all answers and the tables afterwards. */
export async function checkTransaction(step: Step): Promise<void> {
  const { random, world, report, server, seed } = step;
  if (world.split) return;
  const steps = makeSteps(step);
  const isolation = random.pick(['', '', 'readCommitted', 'repeatableRead', 'serializable']);
  const texts = steps.map(
    ({ text, data }) => `{"query": ${JSON.stringify(text)}, "data": ${jsonOfData(data)}}`,
  );
  const options = isolation === '' ? '{}' : `{"isolation": "${isolation}"}`;
  const body = `{"steps": [${texts.join(', ')}], "options": ${options}}`;
  const reply = await world.client.post('/transaction', body);
  report.count('transactions');
  const before = world.tables;
  try {
    const outcome = judgeSteps(world, steps, reply);
    const left = outcome.fault ?? (await tableFault(world.client, world.domain, outcome.tables));
    if (left === undefined) {
      world.tables = outcome.tables;
      return;
    }
    report.fail({
      kind: `transaction: ${left.replaceAll(/[\d"'{[].*/gs, '')}`,
      text: `${body}\n${left}\n${reply.text.slice(0, 1000)}\non ${server.dialect}, seed ${seed}`,
    });
  } catch (error) {
    if (!(error instanceof Unsure)) throw error;
    report.count('not judged');
  }
  await refill(world, before);
}

function makeSteps(step: Step): readonly Question[] {
  const { random, world, report } = step;
  const { domain, tables } = world;
  const referring = random.chance(0.4) ? referringSteps(step) : [];
  const others = Array.from({ length: 1 + random.below(3) }, (): Question => {
    if (random.chance(0.35)) {
      const query = makeQuery(random, domain);
      return { text: query.text, data: makeData(random, query.parameters) };
    }
    const write = makeWrite({ random, domain, tables });
    for (const construct of write.constructs) report.constructs.add(construct);
    return { text: write.text, data: write.data };
  });
  return [...referring, ...others];
}

/** Inserts a row, and another one that refers to its generated key. */
function referringSteps({ random, world, report }: Step): readonly Question[] {
  const { domain, tables } = world;
  const around = { random, domain, tables };
  const pairs = domain.entities.flatMap((entity) =>
    entity.relations
      .filter(
        ({ isMany, declared, entity: target }) => !isMany && declared && target !== entity.name,
      )
      .map((relation) => ({ entity, relation, target: entityNamed(domain, relation.entity) })),
  );
  const fitting = pairs.filter(({ target, entity }) => {
    const isGenerated = target.properties.some(({ autoIncrement }) => autoIncrement);
    return isGenerated && entity.size <= CROWD && target.size <= CROWD;
  });
  if (fitting.length === 0) return [];
  const { entity, relation, target } = random.pick(fitting);
  report.constructs.add('$ref');
  const [[from = '', to = '']] = [[relation.from[0], relation.to[0]]];
  const first = newObject(around, target, relation.to);
  const second = { ...newObject(around, entity), [from]: { $ref: `0.${to}` } };
  return [
    { text: `${target.name}.insert()`, data: first },
    { text: `${entity.name}.insert()`, data: second },
  ];
}

interface StepsOutcome {
  readonly fault: string | undefined;
  readonly tables: Tables;
}

/** The tables after all steps, or the previous ones if a step is refused. */
function judgeSteps(world: World, steps: readonly Question[], reply: Reply): StepsOutcome {
  const { domain, tables: before } = world;
  const largeBefore = tooLarge.count;
  const answers = reply.status === 200 ? parseAnswer(reply.text) : [];
  const answerOf = (index: number): Answered =>
    Array.isArray(answers) ? (answers[index] ?? null) : null;
  let tables = before;
  let refusal: { readonly index: number; readonly codes: readonly string[] } | undefined;
  for (const [index, { text, data }] of steps.entries()) {
    const query = parseQuery(text, limits);
    const given = resolved(data, answers);
    const outcome = isWrite(query)
      ? applyWrite({ domain, tables }, query, given, answerOf(index))
      : { answer: answerQuery(domain, tables, query, given), faults: new Set<never>(), tables };
    const codes = codesOf(outcome, domain);
    if (isRefusedBy(reply, index, codes)) return { fault: undefined, tables: before };
    if (refusal && isRefusedBy(reply, index, codesOfFault.missing)) {
      unsure('missing data of a step that depends on a refused step');
    }
    if (codes.length > 0 && reply.status !== 200 && refers(data))
      unsure('what a step stores that refers to an unknown answer');
    // Values are checked before any step runs, so a later step may be the first to be refused.
    refusal ??= codes.length > 0 ? { index, codes } : undefined;
    if (refusal) continue;
    tables = outcome.tables;
    if (reply.status !== 200) continue;
    const fault = difference(outcome.answer, answerOf(index), `step ${index}`);
    if (fault !== undefined) return { fault, tables };
  }
  const isOpen = steps.some(
    (each, index) =>
      isRefusedBy(reply, index, codesOfFault.foreign) && isRowByRow(world, each, codeOf(reply)),
  );
  if (isOpen) unsure('a delete of rows that refer to each other');
  const isTaken = steps.some(
    ({ data }, index) =>
      refers(data) && refusal === undefined && isRefusedBy(reply, index, codesOfFault.unique),
  );
  // A weak relation has no foreign key.
  if (isTaken) unsure('whether a row refers to a key that was generated later');
  const isUnmet = steps.some(
    ({ data }, index) => refers(data) && isRefusedBy(reply, index, codesOfFault.constraint),
  );
  if (isUnmet) unsure('whether a generated key meets a constraint');
  if (refusal) {
    const { index, codes } = refusal;
    const fault = `step ${index} refused by ${codes.join(' or ')} expected, ${describeReply(reply)} found`;
    return { fault, tables: before };
  }
  const isLarge = tooLarge.count > largeBefore || steps.some((each) => mayOverflow(world, each));
  if (isLarge && codeOf(reply) === 'value-out-of-range') unsure('a number that is too large');
  return { fault: reply.status === 200 ? undefined : describeReply(reply), tables };
}

/** Whether the refusal has one of the codes and names the step. */
function isRefusedBy(reply: Reply, index: number, codes: readonly string[]): boolean {
  const problem = reply.status === 200 ? null : parseAnswer(reply.text);
  const step = isObject(problem) ? problem['step'] : undefined;
  const isMentioned = step instanceof LosslessNumber && Number(step.value) === index;
  return isMentioned && codes.includes(codeOf(reply) ?? '');
}

/** Whether the data refer to the answer of an earlier step. */
function refers(data: Data): boolean {
  if (Array.isArray(data)) return data.some(refers);
  return isDataObject(data) && ('$ref' in data || Object.values(data).some(refers));
}

/** Replaces references by the values in the answers, or by 1 if there is none. */
function resolved(data: Data, answers: Answered): Data {
  if (Array.isArray(data)) return data.map((each) => resolved(each, answers));
  if (!isDataObject(data)) return data;
  const { $ref: reference } = data;
  if (typeof reference === 'string') {
    const found = reference.split('.').reduce<Answered>((at, name) => {
      if (Array.isArray(at)) return at[Number(name)] ?? null;
      return isObject(at) ? (at[name] ?? null) : null;
    }, answers);
    return new Digits(parseDecimal(found instanceof LosslessNumber ? found.value : '1'));
  }
  return Object.fromEntries(
    Object.entries(data).map(([name, each]) => [name, resolved(each, answers)]),
  );
}
