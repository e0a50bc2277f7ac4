/** What a view hides, by name: whether a query names it, and whether an error reveals it. */
import type { Expression } from '../../../src/engine/language/ast.js';
import { parseQuery } from '../../../src/engine/language/parse-query.js';
import type { WorldPlan } from '../drive/world.js';
import { parts } from '../generate/part-templates.js';
import { type Domain, type Entity, enumValues } from '../world/domain.js';
import { valueJson } from '../world/schema-file.js';
import { limits } from './judge.js';

function namesOf({ properties, relations }: Entity): readonly string[] {
  return [...properties, ...relations].map(({ name }) => name);
}

/** The names of hidden properties, relations and entities that are names of nothing visible. */
export function hiddenNames(whole: Domain, seen: Domain): ReadonlySet<string> {
  const names = whole.entities.flatMap((each) => [...namesOf(each), each.name]);
  const visible = new Set(seen.entities.flatMap((each) => [...namesOf(each), each.name]));
  return new Set(names.filter((name) => !visible.has(name)));
}

/** A member of a variable: neither a function nor a parameter. */
const memberName = /(?<=(?<!\b(?:page|e))\.)[a-zA-Z]\w*\b(?!\()/g;

/** Whether a query names hidden things; `perhaps` if the same name is also that of something visible. */
export function usesHidden(text: string, whole: Domain, seen: Domain): 'yes' | 'no' | 'perhaps' {
  const { entity } = parseQuery(text, limits);
  const isSeen = seen.entities.some(({ name }) => name === entity);
  if (!isSeen) return 'yes';
  const members = text.replace(entity, '').match(memberName) ?? [];
  const inParts = new Set(parts.flatMap((each) => each.match(/\w+/g) ?? []));
  const certain = hiddenNames(whole, seen);
  if (members.some((name) => certain.has(name) && !inParts.has(name))) return 'yes';
  const somewhere = new Set(
    whole.entities.flatMap((each) => {
      const left = seen.entities.find(({ name }) => name === each.name);
      const shown = left ? namesOf(left) : [];
      return namesOf(each).filter((name) => !shown.includes(name));
    }),
  );
  return members.some((name) => somewhere.has(name)) ? 'perhaps' : 'no';
}

/** Whether a write names hidden things; `perhaps` if the same name is also that of something visible. */
export function writesHidden(text: string, whole: Domain, seen: Domain): 'yes' | 'no' | 'perhaps' {
  const uses = usesHidden(text, whole, seen);
  const { entity: name, clauses } = parseQuery(text, limits);
  const entity = seen.entities.find((each) => each.name === name);
  if (!entity || uses === 'yes') return 'yes';
  const shown = entity.properties.map((each) => each.name);
  const set = clauses.flatMap(({ arguments: [argument] }) => setBy(argument));
  return set.some((each) => !shown.includes(each)) ? 'yes' : uses;
}

/** The properties that a clause sets by name. */
function setBy(argument: Expression | undefined): readonly string[] {
  if (argument?.kind === 'lambda') return setBy(argument.body);
  if (argument?.kind === 'object') return argument.entries.map(({ key }) => key);
  // The items of an include are members.
  const items = argument?.kind === 'list' ? argument.items : [];
  return items.flatMap((each) => (each.kind === 'name' ? [each.name] : []));
}

/** Shorter values may be words of an error. */
const VALUE_LENGTH_MIN = 5;

/** A hidden name or a value in the text of an error that the request does not contain. */
export function leakIn(
  text: string,
  request: string,
  { domain, tables }: WorldPlan,
  seen: WorldPlan,
): string | undefined {
  const isIn = (word: string) => text.includes(word) && !request.includes(word);
  const names = [...hiddenNames(domain, seen.domain)];
  // Other names are also words of the language of errors, or of others.
  const quoted = names.find((name) => isIn(`'${name}'`) && !request.includes(name));
  // A visible entity may be a part of a hidden one, by its name.
  const partsOf = (name: string) =>
    seen.domain.entities.flatMap((each) => (each.name.startsWith(`${name}.`) ? each.name : []));
  const isWritten = (name: string) => {
    const rest = partsOf(name).reduce((left, part) => left.replaceAll(part, ''), text);
    return rest.includes(name) && !request.includes(name);
  };
  const written = names.find((name) => /[A-Z]/.test(name) && isWritten(name));
  const [name] = [quoted, written].filter((each) => each !== undefined);
  if (name !== undefined) return name;
  for (const row of [...tables.values()].flat()) {
    for (const value of row.values()) {
      const json = typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : undefined;
      if (json === undefined || json.length < VALUE_LENGTH_MIN) continue;
      // Errors list the values of an enum, which belong to the schema.
      if (enumValues.some((each) => each === value)) continue;
      if (isIn(json)) return valueJson(value);
    }
  }
  return undefined;
}
