/** A query that is being generated: what it may read, and what it has used so far. */
import type { Random } from '../random.js';
import type { Domain, Entity } from '../world/domain.js';
import type { Letter } from './templates.js';

/** A variable of a lambda. */
export interface Variable {
  readonly name: string;
  readonly entity: Entity;
}

/**
 * What a hole of a template needs: `^` an expression whose type is known without context, `=` a column,
 * `#` a literal, `?` a parameter.
 */
export type Mode = '' | '^' | '=' | '#' | '?';

/** Makes an expression of a type, nested at most `depth` levels. */
export type MakeExpression = (scope: Scope, letter: Letter, depth: number, mode?: Mode) => string;

export interface Sketch {
  readonly expression: MakeExpression;
  readonly random: Random;
  readonly domain: Domain;
  /** The names of the used parameters. */
  readonly parameters: Set<string>;
  /** The used operators, functions, clauses and formats, for the report. */
  readonly constructs: Set<string>;
}

export function createSketch(random: Random, domain: Domain, expression: MakeExpression): Sketch {
  return { expression, random, domain, parameters: new Set(), constructs: new Set() };
}

/** The scope of an expression. */
export interface Scope {
  readonly sketch: Sketch;
  /** From the outermost to the innermost. */
  readonly variables: readonly Variable[];
  /** The number of surrounding lambdas over relations. */
  readonly level: number;
  /** Whether only the properties of the row itself may be read. */
  readonly isOwn?: boolean;
  /** In an expression over a group: its keys and aggregates, which are read instead of columns. */
  readonly atoms?: readonly Atom[];
}

/** An expression of a type. */
export interface Atom {
  readonly letter: Letter;
  readonly text: string;
}

/** Returns the name of a parameter, and notes that it is used. */
export function parameter({ sketch }: Scope, name: string): string {
  sketch.parameters.add(name);
  sketch.constructs.add(`parameter ${name}`);
  return name;
}

export function innermost({ variables }: Scope): Variable {
  const variable = variables.at(-1);
  if (!variable) throw new Error('There is no variable.');
  return variable;
}

/** The scope of a lambda over related rows, whose variable hides an outer one of the same name. */
export function within(scope: Scope, variable: Variable): Scope {
  const { sketch, variables, level } = scope;
  const seen = variables.filter(({ name }) => name !== variable.name);
  return { sketch, variables: [...seen, variable], level: level + 1 };
}

/** A name for the variable of a lambda, sometimes that of an outer one, which it hides. */
export function freshName({ sketch, variables }: Scope): string {
  const outer = variables.at(-1)?.name ?? '';
  const names = ['p', 'q', 'r', 'u', 'v', 'w'];
  const usual = names[names.indexOf(outer) + 1] ?? 'w';
  return sketch.random.chance(0.03) ? 'p' : usual;
}

/** The scope of an included relation, which can only read its own row. */
export function scopeInside({ sketch }: Scope, variable: Variable): Scope {
  return { sketch, variables: [variable], level: 0 };
}

/** The scope of the lambdas of the query itself. */
export function scopeOf(sketch: Sketch, entity: Entity, name: string): Scope {
  return { sketch, variables: [{ name, entity }], level: 0 };
}
