/** Suggests names: entities, properties, relations, clauses, functions, variables and parameters. */
import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippet,
} from '@codemirror/autocomplete';
import { functions } from 'rowgate:functions';
import { type Entity, isToMany } from '../gateway/forms.js';
import {
  looseWords,
  readingClauses,
  relationAggregates,
  type Word,
  writingClauses,
} from './clauses.js';
import { type Meaning, type Scope, scopeAt } from './scope.js';
import { tokensOf } from './tokens.js';

/** What can be suggested besides the language itself. */
export interface Vocabulary {
  readonly entities: readonly Entity[];
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
}

/** The source of completions; the vocabulary is read each time. */
export function completionSource(vocabulary: () => Vocabulary) {
  return ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const text = state.doc.toString();
    if (isInTextOrComment(text, pos)) return null;
    const { entities, parameters } = vocabulary();
    const scope = scopeAt(text, pos, entities);
    if (!explicit && !scope.isMember && scope.from === pos) return null;
    const options = optionsFor(scope, { entities, parameters });
    return { from: scope.from, options, validFor: /^[\w$]*$/ };
  };
}

function optionsFor(scope: Scope, { entities, parameters }: Vocabulary): Completion[] {
  if (scope.isMember) return memberOptions(scope.owner, entities, scope.inside);
  if (scope.isStart) return entities.map((entity) => entityOption(entity));
  return [
    ...[...scope.variables].map(([name, entity]) => option(name, 'variable', entity.name, 3)),
    ...parameters.map(({ name, type }) => option(name, 'constant', type, 2)),
    ...looseWords.map((word) => wordOption(word, 'function')),
    ...functions.flatMap((each) => functionOptions(each)),
    ...['true', 'false', 'null'].map((name) => option(name, 'keyword', '', -1)),
  ];
}

/** The names that can follow a dot. */
function memberOptions(
  owner: Meaning | undefined,
  entities: readonly Entity[],
  inside: string,
): Completion[] {
  if (owner === undefined || owner.kind === 'value') return methodOptions();
  const { entity } = owner;
  if (owner.kind === 'rows') {
    const children = entities.filter(({ name }) => name.startsWith(`${entity.name}.`));
    const isQuery = inside === '';
    return [
      // In the order in which they are listed.
      ...readingClauses.map((word, at) => wordOption(word, 'method', readingClauses.length - at)),
      ...(isQuery ? writingClauses : relationAggregates).map((word) => wordOption(word, 'method')),
      ...(isQuery ? children : []).map((child) =>
        option(child.name.slice(entity.name.length + 1), 'class', 'entity', 1),
      ),
    ];
  }
  const isInclude = inside === 'include';
  const properties = entity.properties.map(({ name, type, description }) =>
    option(name, 'property', type, isInclude ? 1 : 3, description),
  );
  const relations = entity.relations.map((relation) => {
    const target = isToMany(relation) ? `${relation.entity}[]` : relation.entity;
    return option(relation.name, 'interface', target, 4);
  });
  return isInclude ? relations : [...properties, ...relations];
}

/** The functions in method form, in which the first argument comes before the dot. */
function methodOptions(): Completion[] {
  return functions
    .filter(({ form }) => !form.endsWith('()'))
    .map(({ name, form, summary }) => ({
      ...callOption(name, 'method', '|'),
      detail: form.slice(name.length),
      info: summary,
    }));
}

function functionOptions({ name, aliases, form, summary, example }: (typeof functions)[number]) {
  return [name, ...aliases].map(
    (each): Completion => ({
      ...callOption(each, 'function', form.endsWith('()') ? '' : '|'),
      detail: form.slice(name.length),
      info: `${summary} ${example}`,
    }),
  );
}

function entityOption({ name, description = '' }: Entity): Completion {
  return {
    label: name,
    type: 'class',
    detail: 'entity',
    ...(description && { info: description }),
  };
}

function wordOption({ name, inserted, detail, info }: Word, type: string, boost = 0): Completion {
  return { ...callOption(name, type, inserted), detail, info, boost };
}

/** Inserts a call, with the cursor at the `|` within its parentheses. */
function callOption(name: string, type: string, inserted: string): Completion {
  const template = `${name}(${inserted.replace('|', '${}')})`;
  return { label: name, type, apply: snippet(template) };
}

function option(label: string, type: string, detail: string, boost: number, info = ''): Completion {
  return { label, type, detail, boost, ...(info !== '' && { info }) };
}

function isInTextOrComment(text: string, position: number): boolean {
  const token = tokensOf(text).find(({ from, to }) => from < position && position <= to);
  if (token === undefined) return false;
  const isOpen = token.to === text.length && !/^(["'`])[^]*\1$/.test(token.text);
  return /^(?:text|comment)$/.test(token.kind) && (position < token.to || isOpen);
}
