/** A query in the making: what it may read, and what it has used so far. */
import type { Random } from '../random.js';
import type { Domain, Entity } from '../world/domain.js';
import type { Letter } from './templates.js';

/** A variable of a lambda. */
export interface Variable {
  readonly name: string;
  readonly entity: Entity;
}

/** What a hole of a template asks for: `^` a type that is known by itself, `=` a column, `#` a literal, `?` a parameter. */
export type Mode = '' | '^' | '=' | '#' | '?';

/** An expression of a type, nested at most so deep. */
export type MakeExpression = (scope: Scope, letter: Letter, depth: number, mode?: Mode) => string;

export interface Sketch {
  readonly expression: MakeExpression;
  readonly random: Random;
  readonly domain: Domain;
  /** Names of parameters that are used. */
  readonly parameters: Set<string>;
  /** Operators, functions, clauses and formats that are used, for the report. */
  readonly constructs: Set<string>;
}

export function createSketch(random: Random, domain: Domain, expression: MakeExpression): Sketch {
  return { expression, random, domain, parameters: new Set(), constructs: new Set() };
}

/** Where an expression stands. */
export interface Scope {
  readonly sketch: Sketch;
  /** The innermost last. */
  readonly variables: readonly Variable[];
  /** How many lambdas over relations it stands in. */
  readonly level: number;
  /** Whether only the properties of the row itself may be read. */
  readonly isOwn?: boolean;
}

export function innermost({ variables }: Scope): Variable {
  const variable = variables.at(-1);
  if (!variable) throw new Error('There is no variable.');
  return variable;
}

/** The scope of a lambda over related rows: it hides an outer variable of its name. */
export function within(scope: Scope, variable: Variable): Scope {
  const { sketch, variables, level } = scope;
  const seen = variables.filter(({ name }) => name !== variable.name);
  return { sketch, variables: [...seen, variable], level: level + 1 };
}

/** The name of a lambda's variable; now and then that of an outer one, which it hides. */
export function freshName({ sketch, variables }: Scope): string {
  const outer = variables.at(-1)?.name ?? '';
  const names = ['p', 'q', 'r', 'u', 'v', 'w'];
  const usual = names[names.indexOf(outer) + 1] ?? 'w';
  return sketch.random.chance(0.03) ? 'p' : usual;
}

/** The scope of an included relation: it sees its own row only. */
export function scopeInside({ sketch }: Scope, variable: Variable): Scope {
  return { sketch, variables: [variable], level: 0 };
}

/** The scope of a query's own lambdas. */
export function scopeOf(sketch: Sketch, entity: Entity, name: string): Scope {
  return { sketch, variables: [{ name, entity }], level: 0 };
}
