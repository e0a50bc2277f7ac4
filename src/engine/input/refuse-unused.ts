/** Strict data: members that a query does not use are errors (`--strict-data`). */
import type { CompiledQuery, StatementPlan } from '../compiled-query.js';
import { EngineError } from '../errors.js';
import { didYouMean } from '../language/did-you-mean.js';
import { mayBeLiteral } from '../query/lift-literals.js';
import { type DataValue, isDataList, isDataObject } from '../values/data-value.js';

/** The members that an object may have; undefined if the value may be anything. */
type Members = Map<string, Members | undefined>;

/** Throws `parameter-unknown` if the data has a member that the query does not use. */
export function refuseUnused(plan: CompiledQuery, data: DataValue | undefined): void {
  const { root, parameters } = plan;
  const members: Members = new Map();
  if (root.write) addWritten(members, root, []);
  for (const { name } of parameters) add(members, name.split('.'), undefined);
  check(members, data, { place: 'data', isWrite: root.write !== undefined });
}

/** The members that a write and its includes use of an object at that path. */
function addWritten(
  members: Members,
  { parameters, write, includes }: StatementPlan,
  at: readonly string[],
) {
  for (const { name } of parameters) add(members, [...at, ...name.split('.')], undefined);
  const base = write?.kind === 'filtered' ? write.base : (write?.path ?? []);
  for (const { relation, statement } of includes) {
    const related: Members = new Map();
    addWritten(related, statement, []);
    const path = at.length === 0 ? [...base, relation] : [...at, relation];
    add(members, path, related);
  }
}

function add(
  members: Members,
  [name = '', ...path]: readonly string[],
  value: Members | undefined,
) {
  if (path.length === 0) {
    members.set(name, value);
    return;
  }
  const inner = members.get(name) ?? new Map();
  members.set(name, inner);
  add(inner, path, value);
}

interface Checked {
  readonly place: string;
  readonly isWrite: boolean;
}

/** The rows of a write may be lists. */
function check(members: Members, data: DataValue | undefined, { place, isWrite }: Checked): void {
  if (isDataList(data)) {
    data.forEach((item, index) => check(members, item, { place: `${place}[${index}]`, isWrite }));
  }
  if (!isDataObject(data)) return;
  for (const [name, value] of Object.entries(data)) {
    const own = { place: `${place}.${name}`, isWrite };
    if (!members.has(name)) throw unused(members, { name, value }, own);
    const inner = members.get(name);
    if (inner) check(inner, value, own);
  }
}

function unused(
  members: Members,
  { name, value }: { readonly name: string; readonly value: DataValue | undefined },
  { place, isWrite }: Checked,
): EngineError {
  const isRelated =
    isWrite && (isDataObject(value) || (Array.isArray(value) && value.some(isDataObject)));
  const known = [...members.keys()].filter((each) => !mayBeLiteral(each));
  const hint =
    didYouMean(name, known) ??
    (isRelated ? `If '${name}' is a relation, include it: .include(p=>p.${name}).` : undefined);
  const message = `The query does not use the member '${name}' of its data.`;
  return new EngineError('parameter-unknown', message, { place, hint });
}
