/** Random aggregates over a relation to many rows, which become sub-selects. */
import { entityNamed, type Entity, type Relation } from '../world/domain.js';
import { alike, ALIKE } from './alike.js';
import { freshName, parameter, type Scope, type Variable, within } from './sketch.js';
import type { Letter } from './templates.js';

/** How deep lambdas over relations are nested at most. */
const LEVELS = 2;

/**
 * `p.details.sum(d=>…)` or another aggregate of that type; undefined if there is no relation to many
 * rows, or if such values do not `exist` in the scope of its rows.
 */
export function aggregateOf(
  scope: Scope,
  letter: Letter,
  depth: number,
  exist: (scope: Scope) => boolean,
): string | undefined {
  const related = scope.level < LEVELS ? relatedOf(scope) : undefined;
  if (!related) return undefined;
  const { random, constructs } = scope.sketch;
  const inner = within(scope, related.variable);
  if (!exist(inner)) return undefined;
  const lambda = (body: string) => `${related.variable.name}=>${body}`;
  const value = (of: Letter) => inner.sketch.expression(inner, of, depth, '^');
  const filter = random.pick(['filter', 'filter', 'where']);
  const rows = random.chance(0.4)
    ? `${related.path}.${filter}(${lambda(scope.sketch.expression(inner, 'b', depth))})`
    : related.path;
  const kind = random.pick(kindsOf(letter));
  constructs.add(`relation ${kind}`);
  switch (kind) {
    case 'exists':
      return random.chance(0.3)
        ? `exists(${rows})`
        : `exists(${rows}, ${lambda(scope.sketch.expression(inner, 'b', depth))})`;
    case 'rows':
      return `${rows}.count()`;
    case 'alike': {
      const most = `${rows}.${random.pick(['min', 'max'])}(${lambda(alike(inner))})`;
      return `(${most} ${random.pick(['<', '>=', '=='])} ${parameter(scope, 'alike3')})`;
    }
    case 'values':
      if (random.chance(ALIKE)) return `${rows}.count(${lambda(parameter(scope, 'open1'))})`;
      return `${rows}.count(${lambda(value(random.pick(['i', 's', 'd'])))})`;
    case 'conditions':
      return `${rows}.count(${lambda(scope.sketch.expression(inner, 'b', depth, '^'))})`;
    case 'distinct':
      return `${rows}.count(${lambda(`distinct(${value('s')})`)})`;
    case 'first':
    case 'last': {
      const sort = `.sort(${lambda(scope.sketch.expression(inner, random.pick(['i', 's', 't']), 0, '='))})`;
      const from = random.chance(0.6) ? rows + sort : rows;
      return `${from}.${kind}(${lambda(scope.sketch.expression(inner, letter, depth, '^'))})`;
    }
    default: {
      const argument =
        letter === 'd' && kind !== 'min' && kind !== 'max'
          ? random.pick(['d', 'i'] as const)
          : letter;
      return `${rows}.${kind}(${lambda(value(argument))})`;
    }
  }
}

type Kind =
  | 'exists'
  | 'rows'
  | 'values'
  | 'conditions'
  | 'distinct'
  | 'first'
  | 'last'
  | 'min'
  | 'max'
  | 'sum'
  | 'alike'
  | 'avg';

function kindsOf(letter: Letter): readonly Kind[] {
  const single: readonly Kind[] = ['first', 'last'];
  switch (letter) {
    case 'b':
      return ['exists', 'exists', 'alike', ...single];
    case 'i':
      return ['rows', 'rows', 'values', 'distinct', 'min', 'max', 'conditions', ...single];
    case 'd':
      return ['sum', 'sum', 'avg', 'min', 'max', ...single];
    case 'u':
    case 'x':
    case 'e':
    case 'v':
    case 'a':
      return single;
    default:
      return ['min', 'max', ...single];
  }
}

interface Related {
  readonly path: string;
  readonly variable: Variable;
}

/** A relation to many rows, of the row itself or of a row that it refers to. */
function relatedOf(scope: Scope): Related | undefined {
  const { random, domain } = scope.sketch;
  const outer = random.pick(scope.variables);
  const paths = manyOf(outer.entity, outer.name, (name) => entityNamed(domain, name));
  if (paths.length === 0) return undefined;
  const { path, relation } = random.pick(paths);
  return {
    path,
    variable: { name: freshName(scope), entity: entityNamed(domain, relation.entity) },
  };
}

function manyOf(
  entity: Entity,
  path: string,
  find: (name: string) => Entity,
): readonly { path: string; relation: Relation }[] {
  const own = ({ relations }: Entity, at: string) =>
    relations
      .filter(({ isMany }) => isMany)
      .map((relation) => ({ path: `${at}.${relation.name}`, relation }));
  const joined = entity.relations
    .filter(({ isMany }) => !isMany)
    .flatMap(({ name, entity: target }) => own(find(target), `${path}.${name}`));
  return [...own(entity, path), ...own(entity, path), ...joined];
}
