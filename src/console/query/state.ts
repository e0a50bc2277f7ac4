/** The query that is being edited: its expression, its data, its stage and its view. */
import { computed, signal } from '@preact/signals';
import type { Entity, Query } from '../gateway/forms.js';
import { parseExact } from '../rows/exact-json.js';
import { decodeLink, type LinkedQuery } from './link.js';

const EXAMPLE =
  'Orders.filter(p=>p.freight>freight)\n  .map(p=>[p.id, p.orderDate, p.freight, p.customer.name])\n  .sort(p=>desc(p.freight))\n  .include(p=>p.details)';
/** What the example reads of its entity. */
const EXAMPLE_MEMBERS = ['id', 'orderDate', 'freight', 'customer', 'details'];

const linked = decodeLink(location.hash);

export const expression = signal(linked?.query ?? EXAMPLE);
/** The text of the data, as JSON. */
export const dataText = signal(linked?.data ?? (linked ? '{}' : '{"freight": 200}'));
/** With an empty string, the gateway chooses the stage or view. */
export const stage = signal(linked?.stage ?? '');
export const view = signal(linked?.view ?? '');

/** Opens the query of a link that is followed while the page is open. Returns a function that ends that. */
export function watchLink(): () => void {
  const follow = (): void => {
    const followed = decodeLink(location.hash);
    if (followed) openQuery(followed);
  };
  addEventListener('hashchange', follow);
  return () => removeEventListener('hashchange', follow);
}

/** The parsed data, with all digits of its numbers; undefined if the text is not JSON. */
export const data = computed<unknown>(() => parsed(dataText.value));

const options = computed<Query['options'] | undefined>(() => {
  const chosen = {
    ...(stage.value !== '' && { stage: stage.value }),
    ...(view.value !== '' && { view: view.value }),
  };
  return Object.keys(chosen).length > 0 ? chosen : undefined;
});

/** The request without its data, which descriptions do not need. */
export const described = computed<Query>(() => ({
  query: expression.value,
  ...(options.value && { options: options.value }),
}));

/** The whole request. The data is sent as its text, so that no number is rounded. */
export const requested = computed<Query>(() => ({
  ...described.value,
  data: dataText.value.trim(),
}));

/** The query in the form of a link. */
export const current = computed<LinkedQuery>(() => ({
  query: expression.value,
  data: dataText.value,
  stage: stage.value,
  view: view.value,
}));

/** Replaces the example by a query of the first entity, if the schema does not have what the example reads. */
export function fitExample(entities: readonly Entity[]): void {
  const [first] = entities;
  if (expression.value !== EXAMPLE || !first || entities.some(isOfExample)) return;
  openQuery({ query: `${first.name}.page(1, 50)`, stage: stage.value, view: view.value });
}

function isOfExample({ name, properties, relations }: Entity): boolean {
  const members = [...properties, ...relations].map((each) => each.name);
  return name === 'Orders' && EXAMPLE_MEMBERS.every((each) => members.includes(each));
}

/** Puts another query into the editor. */
export function openQuery({
  query,
  data = '{}',
  stage: at = '',
  view: under = '',
}: LinkedQuery): void {
  expression.value = query;
  dataText.value = data;
  stage.value = at;
  view.value = under;
}

function parsed(text: string): unknown {
  try {
    return text.trim() === '' ? {} : parseExact(text);
  } catch {
    return undefined;
  }
}
