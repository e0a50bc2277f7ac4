/** Completes a query while it is typed. */

/** The names that a query may use. */
export interface Vocabulary {
  readonly entities: readonly EntityWords[];
  /** Clauses, in the order of the suggestions. */
  readonly clauses: readonly string[];
  readonly functions: readonly string[];
}

export interface EntityWords {
  readonly name: string;
  readonly properties: readonly { readonly name: string }[];
  readonly relations: readonly { readonly name: string; readonly entity: string }[];
}

/** The candidates for the end of the text, and the part of the text that they replace. */
export function completeQuery(text: string, words: Vocabulary): [string[], string] {
  const [token = ''] = /\w*$/.exec(text) ?? [];
  const before = text.slice(0, text.length - token.length);
  const candidates = before.endsWith('.')
    ? membersAt(before.slice(0, -1), words)
    : freeWords(before, words);
  return [[...new Set(candidates)].filter((each) => each.startsWith(token)), token];
}

function freeWords(before: string, { entities, functions }: Vocabulary): readonly string[] {
  const names = entities.map(({ name }) => name);
  if (before.trim() === '') return names;
  const variables = [...before.matchAll(/(\w+)\s*=>/g)].map(([, name = '']) => name);
  return [...variables, ...functions];
}

/** The names that can follow a dot after the text. */
function membersAt(text: string, words: Vocabulary): readonly string[] {
  const [path = ''] = /[\w.]*$/.exec(text) ?? [];
  if (path === '' || entityNamed(path, words)) return words.clauses;
  const entity = entityAt(path, text, words);
  if (!entity) return words.clauses;
  const members = [...entity.properties, ...entity.relations].map(({ name }) => name);
  return path.includes('.') ? [...members, ...words.clauses] : members;
}

/** The entity to which a path like `p.customer` leads; undefined if it does not lead to one. */
function entityAt(path: string, text: string, words: Vocabulary): EntityWords | undefined {
  const whole = entityNamed(path, words);
  if (whole) return whole;
  const [variable = '', ...steps] = path.split('.');
  let entity = entityOfVariable(variable, text, words);
  for (const step of steps) {
    const relation: { readonly entity: string } | undefined = entity?.relations.find(
      ({ name }) => name === step,
    );
    entity = relation && entityNamed(relation.entity, words);
  }
  return entity;
}

/** The entity of a variable's rows: in `Orders.filter(o=>`, it is `Orders`. */
function entityOfVariable(
  variable: string,
  text: string,
  words: Vocabulary,
): EntityWords | undefined {
  const at = text.search(new RegExp(`\\(\\s*${variable}\\s*=>`));
  if (variable === '' || at === -1) return undefined;
  const owner = withoutCalls(text.slice(0, at));
  const [, path = ''] = /([\w.]+)\.\w+$/.exec(owner) ?? [];
  return entityAt(path, owner, words);
}

/** Removes completed calls: `Orders.filter(…).map` becomes `Orders.map`. Open brackets stay. */
function withoutCalls(text: string): string {
  const shorter = text.replace(/\.?\w+\([^()]*\)/g, '');
  return shorter === text ? text : withoutCalls(shorter);
}

function entityNamed(path: string, { entities }: Vocabulary): EntityWords | undefined {
  return entities.find(({ name }) => name === path);
}

/** Whether the text has brackets or a string that are not closed yet. */
export function isUnfinished(text: string): boolean {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs, '');
  const opened = bare.match(/[([{]/g)?.length ?? 0;
  const closed = bare.match(/[)\]}]/g)?.length ?? 0;
  return opened > closed || /["']/.test(bare);
}
