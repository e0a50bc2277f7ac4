/**
 * Determines the context of a position in an expression: the entity before a dot, and the lambda
 * variables in scope. It is used only for suggestions; the gateway checks expressions.
 */
import { type Entity, isToMany } from '../gateway/forms.js';
import { type Token, tokensOf } from './tokens.js';

/** The meaning of an expression, as far as it matters for names. */
export type Meaning =
  /** A query or a to-many relation. */
  | { readonly kind: 'rows'; readonly entity: Entity }
  | { readonly kind: 'row'; readonly entity: Entity }
  | { readonly kind: 'value'; readonly type: string };

export interface Scope {
  /** The object of which the name at the position is a member; undefined if it is not a member. */
  readonly owner: Meaning | undefined;
  /** Whether the position follows a dot. */
  readonly isMember: boolean;
  /** The lambda variables, with the entity of each; the innermost last. */
  readonly variables: ReadonlyMap<string, Entity>;
  /** Whether the position is at the start of the query, where the entity is named. */
  readonly isStart: boolean;
  /** The clause or function whose arguments contain the position. */
  readonly inside: string;
  /** Where the name at the position begins. */
  readonly from: number;
}

/** An open bracket, and the expression before it. */
interface Frame {
  /** The clause or function that was called; empty for other brackets. */
  readonly name: string;
  /** The rows over which the lambda of a clause ranges; for a function, its first argument. */
  owner: Meaning | undefined;
  /** The value of the bracket once it is closed. */
  readonly result: Meaning | undefined;
  readonly isCall: boolean;
  readonly variables: Map<string, Entity>;
}

/** Clauses after which the rows are still those of the same entity. */
const KEEPING =
  /^(?:filter|where|map|select|sort|order|page|first|last|take|after|having|include|distinct)$/;

export function scopeAt(text: string, position: number, entities: readonly Entity[]): Scope {
  const tokens = tokensOf(text.slice(0, position)).filter(({ kind }) => kind !== 'comment');
  const last = tokens.at(-1);
  const isInName = last?.kind === 'name' && last.to === position;
  const before = isInName ? tokens.slice(0, -1) : tokens;
  const isMember = before.at(-1)?.kind === 'dot';
  const { frames, meaning } = walk(isMember ? before.slice(0, -1) : before, entities);
  return {
    owner: isMember ? meaning : undefined,
    isMember,
    variables: new Map(frames.flatMap(({ variables }) => [...variables])),
    isStart: before.length === 0,
    inside: frames.findLast(({ isCall }) => isCall)?.name ?? '',
    from: isInName ? last.from : position,
  };
}

/** The open brackets after the tokens, and what the last expression means. */
function walk(tokens: readonly Token[], entities: readonly Entity[]) {
  const frames: Frame[] = [frameOf('', undefined, undefined, false)];
  let meaning: Meaning | undefined;
  /** The object of which the last name was a member. */
  let owner: Meaning | undefined;
  for (const [index, token] of tokens.entries()) {
    const previous = tokens[index - 1];
    const top = frames.at(-1);
    if (token.kind === 'name') {
      owner = previous?.kind === 'dot' ? meaning : undefined;
      meaning =
        previous?.kind === 'dot' ? memberOf(owner, token.text, entities) : named(token.text);
    } else if (/^[([{]$/.test(token.text)) {
      const isCall = token.text === '(' && previous?.kind === 'name';
      const name = isCall ? previous.text : '';
      const around = isCall ? owner : token.text === '(' ? top?.owner : undefined;
      frames.push(frameOf(name, around, isCall ? resultOf(name, owner) : undefined, isCall));
      meaning = undefined;
    } else if (/^[)\]}]$/.test(token.text)) {
      const closed = frames.length > 1 ? frames.pop() : undefined;
      // A bracket without a call has the value of its content: (p.category).name
      meaning = closed?.isCall === false && token.text === ')' ? meaning : closed?.result;
    } else if (token.kind === 'arrow') {
      const entity = rangeOf(frames);
      for (const name of lambdaNames(tokens, index)) if (entity) top?.variables.set(name, entity);
      meaning = undefined;
    } else if (token.kind !== 'dot') {
      if (token.text === ',' && top?.isCall === true) top.owner ??= meaning;
      meaning = undefined;
    }
  }
  return { frames, meaning };

  function named(name: string): Meaning | undefined {
    const variable = frames.findLast(({ variables }) => variables.has(name))?.variables.get(name);
    if (variable) return { kind: 'row', entity: variable };
    const entity = entities.find((each) => each.name === name);
    return entity && { kind: 'rows', entity };
  }
}

function frameOf(
  name: string,
  owner: Meaning | undefined,
  result: Meaning | undefined,
  isCall: boolean,
): Frame {
  return { name, owner, result, isCall, variables: new Map() };
}

/** The entity over which a lambda ranges: that of the innermost call that has one. */
function rangeOf(frames: readonly Frame[]): Entity | undefined {
  const call = frames.findLast(({ isCall, owner }) => isCall || owner !== undefined);
  return call?.owner === undefined || call.owner.kind === 'value' ? undefined : call.owner.entity;
}

/** The names before an arrow: `p=>`, `(p)=>`. */
function lambdaNames(tokens: readonly Token[], arrow: number): readonly string[] {
  const names: string[] = [];
  for (let at = arrow - 1; at >= 0 && at >= arrow - 3; at--) {
    const token = tokens[at];
    if (token?.kind === 'name') names.push(token.text);
    else if (token?.text !== ')') break;
    if (tokens[arrow - 1]?.kind === 'name') break;
  }
  return names;
}

function memberOf(
  owner: Meaning | undefined,
  name: string,
  entities: readonly Entity[],
): Meaning | undefined {
  if (owner === undefined || owner.kind === 'value') return undefined;
  const child = entities.find((each) => each.name === `${owner.entity.name}.${name}`);
  if (owner.kind === 'rows') return child && { kind: 'rows', entity: child };
  const relation = owner.entity.relations.find((each) => each.name === name);
  if (relation) {
    const entity = entities.find((each) => each.name === relation.entity);
    return entity && { kind: isToMany(relation) ? 'rows' : 'row', entity };
  }
  const property = owner.entity.properties.find((each) => each.name === name);
  return property && { kind: 'value', type: property.type };
}

function resultOf(name: string, owner: Meaning | undefined): Meaning | undefined {
  if (owner === undefined || owner.kind === 'value') return owner;
  return KEEPING.test(name) ? { kind: 'rows', entity: owner.entity } : undefined;
}
