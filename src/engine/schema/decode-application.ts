/** Decodes the listeners of the application. */
import { decodeNamed } from './decode-named.js';
import { readChoice, readMembers, readText } from './decode-value.js';
import { type DocumentNode, childNode, isAbsent, listNodes, report } from './document.js';
import type { Listener } from './model.js';

type ListenedAction = Listener['on'][number];

/** The actions for each word in `on`, including lambdaorm's names of the write forms. */
const listenedActions: ReadonlyMap<string, readonly ListenedAction[]> = new Map([
  ['select', ['select']],
  ['insert', ['insert']],
  ['bulkInsert', ['insert']],
  ['update', ['update']],
  ['upsert', ['insert', 'update']],
  ['bulkUpsert', ['insert', 'update']],
  ['merge', ['insert', 'update']],
  ['bulkMerge', ['insert', 'update']],
  ['delete', ['delete']],
  ['bulkDelete', ['delete']],
]);

export function decodeListeners(list: DocumentNode): readonly Listener[] {
  return decodeNamed(list, 'listener', (node, name) => ({
    name,
    on: decodeActions(node),
    ...readMembers(node, {
      condition: readText,
      before: readText,
      after: readText,
      error: readText,
    }),
  }));
}

function decodeActions(listener: DocumentNode): readonly ListenedAction[] {
  const current = childNode(listener, 'on');
  // `actions` is the older name in lambdaorm's files.
  const listed = isAbsent(current) ? childNode(listener, 'actions') : current;
  if (isAbsent(listed)) report(current, 'The listener has no actions: list them in "on".');
  const actions = listNodes(listed).flatMap((node) => {
    const word = readChoice(node, [...listenedActions.keys()]);
    return listenedActions.get(word ?? '') ?? [];
  });
  return [...new Set(actions)];
}
