/** Writes a draft as the text of a schema file, with comments on what it leaves out. */
import { Document, isCollection, isMap, isPair, isScalar, visit } from 'yaml';
import { draftDocument, type Remark, type SchemaDraft } from '../engine/index.js';
import type { DatabaseDraft } from '../project/draft-database.js';

/** `origin` names the database in the first line; the file reads the address from DATABASE_URL. */
export function draftYaml({ draft, dialect }: DatabaseDraft, origin: string): string {
  const content = draftDocument(draft, { dialect, connection: '${DATABASE_URL}' });
  const document = new Document(content);
  visit(document, { Pair: (_, pair) => void (isPair(pair) && layOut(pair.key, pair.value)) });
  document.commentBefore = commentText(headLines(draft, origin));
  draft.entities.forEach(({ remarks }, index) => {
    const node: unknown = document.getIn(['domain', 'entities', index], true);
    if (isMap(node) && remarks.length > 0)
      node.commentBefore = commentText(remarks.map(remarkLine));
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/** Members that are written with one line for each element. */
const LINES = new Set('properties relations indexes sources stages views enums'.split(' '));
/** Members that are written on a single line. */
const LINE = new Set(['primaryKey', 'uniqueKey', 'fields', 'values']);

function layOut(key: unknown, value: unknown): void {
  const name = isScalar(key) ? key.value : undefined;
  if (typeof name !== 'string') return;
  if (isCollection(value) && LINE.has(name)) value.flow = true;
  if (isCollection(value) && LINES.has(name)) {
    for (const item of value.items) if (isCollection(item)) item.flow = true;
  }
  if (name === 'mapping' && isScalar<string>(value)) value.value = escaped(value.value);
}

/** Escapes each `$`, which would otherwise begin the name of an environment variable. */
function escaped(name: string): string {
  return name.replace(/\$(?=[A-Za-z_{])/g, '${DOLLAR:-$}');
}

function headLines(draft: SchemaDraft, origin: string): readonly string[] {
  const views = draft.entities.filter(({ isReadOnly }) => isReadOnly).length;
  const left = draft.remarks.filter((each) => !each.isMapped).length;
  return [
    `Schema of ${origin} (tables: ${draft.entities.length - views}, views: ${views}).`,
    'DATABASE_URL is the address of the database. Names, types and relations may be changed: see docs/your-database.md.',
    ...(left === 0 ? [] : [`Not mapped: ${left}; see the comments in the entities.`]),
    ...draft.remarks.filter((each) => isHomeless(each, draft)).map(remarkLine),
  ];
}

/** Whether the remark is about a table that did not become an entity. */
function isHomeless(remark: Remark, { entities }: SchemaDraft): boolean {
  return !entities.some(({ remarks }) => remarks.includes(remark));
}

export function remarkLine({ place, why, isMapped }: Remark): string {
  return `${isMapped ? 'Note' : 'Not mapped'}: ${place}. ${why}`;
}

/** The lines as comments, each starting with `# `. */
function commentText(lines: readonly string[]): string {
  return lines.map((line) => ` ${line.replace(/\s+/g, ' ')}`).join('\n');
}
