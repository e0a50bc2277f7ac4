/** Judges the refusals of writes under a view: what they name, and what they reveal. */
import { codeOf, describeReply, type Reply } from '../drive/client.js';
import type { WorldPlan } from '../drive/world.js';
import { parseQuery } from '../../../src/engine/language/parse-query.js';
import { expressionsOf, keepsProperty, seenThrough, type View } from '../world/view.js';
import { entityNamed } from '../world/domain.js';
import { leakIn, writesHidden } from './hidden.js';
import { bodyOf, limits, type Question } from './judge.js';

export interface Narrowed {
  /** What is wrong with the reply. */
  readonly fault: string | undefined;
  /** Whether it is not defined that the write is refused. */
  readonly isOpen: boolean;
}

/**
 * What is known about a reply to a write under a view without regard to the rows that it stores;
 * undefined if the write need not be refused.
 */
export function narrowed(
  view: View,
  plan: WorldPlan,
  question: Question,
  reply: Reply,
): Narrowed | undefined {
  const seen = seenThrough(view, plan);
  const body = bodyOf(question);
  const leak = reply.status === 200 ? undefined : leakIn(reply.text, body, plan, seen);
  if (leak !== undefined) {
    return { fault: `the error contains ${leak}: ${describeReply(reply)}`, isOpen: false };
  }
  const uses = writesHidden(question.text, plan.domain, seen.domain);
  const isRefused = reply.status === 400 || reply.status === 403;
  if (uses === 'yes') {
    const fault = `it names hidden things: ${describeReply(reply)}`;
    return { fault: isRefused ? undefined : fault, isOpen: false };
  }
  if (uses === 'perhaps' && isRefused) return { fault: undefined, isOpen: false };
  if (codeOf(reply) === 'unsupported' && isBeyond(view, plan, question)) {
    return { fault: undefined, isOpen: true };
  }
  return undefined;
}

/**
 * Whether the database may not be able to answer or check the rows of a write, of its includes, or those to which
 * they refer.
 */
function isBeyond(view: View, { domain }: WorldPlan, { text }: Question): boolean {
  const { entity } = parseQuery(text, limits);
  const words = new Set(text.match(/\w+/g) ?? []);
  const included = domain.entities
    .flatMap(({ relations }) => relations)
    .flatMap((each) => (words.has(each.name) ? [each.entity] : []));
  const written = [entity, ...included];
  const referred = domain.entities
    .filter(({ name }) => written.includes(name))
    .flatMap(({ relations }) => relations.map((each) => each.entity));
  const { primaryKey, uniqueKey } = entityNamed(domain, entity);
  const hidesKey = [...primaryKey, ...uniqueKey].some((each) => !keepsProperty(view, entity, each));
  return (
    [...written, ...referred].some((name) => {
      const { filter, read } = expressionsOf(view, name);
      return filter !== undefined || read.length > 0;
    }) || hidesKey
  );
}
