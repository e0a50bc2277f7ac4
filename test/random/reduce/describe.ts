/** Reduces a wrong answer to a query with its data, rows and domain, so that it can be pasted. */
import { importRows, type WorldPlan } from '../drive/world.js';
import { jsonOfData } from '../evaluate/data.js';
import type { Row } from '../evaluate/tables.js';
import { bodyOf, judge, type Question, type Verdict } from '../judge/judge.js';
import type { Failure } from '../run/report.js';
import type { Step } from '../run/round.js';
import { importDocument, schemaFile } from '../world/schema-file.js';
import { reduceLists, reduceQuestion } from './reduce.js';
import { smallerDomain } from './smaller-domain.js';

type Wrong = Verdict & { readonly kind: 'wrong' };

/** Reduces the query on its world, then the rows, then the domain. */
export async function describeFailure(
  step: Step,
  question: Question,
  wrong: Wrong,
): Promise<Failure> {
  const { world } = step;
  const failsOn = (plan: WorldPlan) => async (each: Question) => {
    try {
      const verdict = await judge(world.client, plan, each);
      return verdict.kind === 'wrong' && verdict.sort === wrong.sort;
    } catch {
      return false;
    }
  };
  const small = await reduceQuestion(question, failsOn(world));
  const tables = await reduceRows(step, small, failsOn);
  const plan = { domain: world.domain, tables };
  await refill(step, plan);
  const verdict = await judge(world.client, plan, small).catch(() => wrong);
  await refill(step, world);
  const shown = verdict.kind === 'wrong' ? verdict : wrong;
  return {
    kind: kindOf(small, shown),
    text: `${described(step, plan, small, shown)}\nfrom      ${bodyOf(question)}\nits fault ${wrong.fault}`,
  };
}

async function reduceRows(
  { world }: Step,
  question: Question,
  failsOn: (plan: WorldPlan) => (each: Question) => Promise<boolean>,
): Promise<WorldPlan['tables']> {
  const { domain } = world;
  return reduceLists<Row>(world.tables, async (tables) => {
    try {
      await world.database.empty();
      await importRows(world.client, domain, tables);
    } catch {
      return false;
    }
    return failsOn({ domain, tables })(question);
  });
}

async function refill({ world }: Step, { domain, tables }: WorldPlan): Promise<void> {
  await world.database.empty();
  await importRows(world.client, domain, tables);
}

/** The kind of a bug, without names and numbers. */
function kindOf({ text }: Question, { sort }: Wrong): string {
  const shape = text
    .replaceAll(/\b[A-Z]\w*(\.\w+)?/g, 'E')
    .replaceAll(/\b([pqruvwx]|\$a_1)\.\w+(?!\w*\()(\.\w+(?!\w*\())*/g, 'x')
    .replaceAll(/"[^"]*"|'[^']*'/g, '"…"')
    .replaceAll(/\d+(\.\d+)?/g, '0');
  return `${sort}: ${shape}`;
}

function described(
  { server, seed }: Step,
  plan: WorldPlan,
  { text, data }: Question,
  wrong: Wrong,
): string {
  const { domain, tables } = smallerDomain(plan, text);
  const schema = schemaFile(domain, { dialect: server.dialect, connection: {} });
  return [
    `query     ${text}`,
    `data      ${jsonOfData(data)}`,
    `expected  ${wrong.expected}`,
    `got       ${wrong.found}`,
    `fault     ${wrong.fault}`,
    `on        ${server.dialect}, seed ${seed}`,
    `rows      ${importDocument(domain, tables)}`,
    `schema    ${JSON.stringify(schema)}`,
  ].join('\n');
}
