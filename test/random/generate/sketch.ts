/** A query in the making: what it may read, and what it has used so far. */
import type { Random } from '../random.js';
import type { Domain, Entity } from '../world/domain.js';

/** A variable of a lambda. */
export interface Variable {
  readonly name: string;
  readonly entity: Entity;
}

export interface Sketch {
  readonly random: Random;
  readonly domain: Domain;
  /** Names of parameters that are used. */
  readonly parameters: Set<string>;
  /** Operators, functions, clauses and formats that are used, for the report. */
  readonly constructs: Set<string>;
}

export function createSketch(random: Random, domain: Domain): Sketch {
  return { random, domain, parameters: new Set(), constructs: new Set() };
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

/** The scope of a lambda over related rows. */
export function within(scope: Scope, variable: Variable): Scope {
  const { sketch, variables, level } = scope;
  return { sketch, variables: [...variables, variable], level: level + 1 };
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
