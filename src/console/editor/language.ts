/** Colours for expressions, and the behaviour of brackets. */
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';

const WORDS = /^(?:true|false|null)$/;

/** The comment or string that continues from the previous line. */
interface State {
  open: '' | '*/' | '"' | "'" | '`';
}

const expressionLanguage = StreamLanguage.define<State>({
  name: 'rowgate',
  startState: () => ({ open: '' }),
  token: (stream, state) => {
    if (state.open !== '') {
      const kind = state.open === '*/' ? 'comment' : 'string';
      if (skipTo(stream, state.open)) state.open = '';
      return kind;
    }
    if (stream.eatSpace()) return null;
    if (stream.match('/*')) return begin(stream, state, '*/', 'comment');
    for (const quote of ['"', "'", '`'] as const) {
      if (stream.eat(quote)) return begin(stream, state, quote, 'string');
    }
    if (stream.match(/^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return 'number';
    const isMember = stream.pos > 0 && stream.string[stream.pos - 1] === '.';
    const word = stream.match(/^[A-Za-z_$][\w$]*/);
    if (word !== null && typeof word === 'object') {
      const isCall = /^\s*\(/.test(stream.string.slice(stream.pos));
      if (isCall) return 'function';
      if (isMember) return 'propertyName';
      if (WORDS.test(word[0] ?? '')) return 'atom';
      return /^[A-Z]/.test(word[0] ?? '') ? 'typeName' : 'variableName';
    }
    if (stream.match('=>')) return 'arrow';
    return /[()[\]{},.;]/.test(stream.next() ?? '') ? 'punctuation' : 'operator';
  },
  languageData: { closeBrackets: { brackets: ['(', '[', '{', '"', "'"] } },
  tokenTable: {
    function: tags.function(tags.variableName),
    arrow: tags.definitionOperator,
  },
});

interface Stream {
  next(): string | void;
  eol(): boolean;
}

function begin(
  stream: Stream,
  state: State,
  end: Exclude<State['open'], ''>,
  kind: string,
): string {
  if (!skipTo(stream, end)) state.open = end;
  return kind;
}

/** Reads up to the end of a string or comment; false if the line ends first. */
function skipTo(stream: Stream, end: string): boolean {
  let last = '';
  while (!stream.eol()) {
    const next = stream.next() ?? '';
    if (end === '*/' ? last + next === end : next === end && last !== '\\') return true;
    last = last === '\\' ? '' : next;
  }
  return false;
}

const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: tags.string, color: 'var(--code-text)' },
  { tag: [tags.number, tags.atom], color: 'var(--code-number)' },
  { tag: tags.function(tags.variableName), color: 'var(--code-call)' },
  { tag: tags.propertyName, color: 'var(--code-property)' },
  { tag: tags.typeName, color: 'var(--code-entity)', fontWeight: '600' },
  { tag: tags.variableName, color: 'var(--code-variable)' },
  { tag: [tags.operator, tags.definitionOperator], color: 'var(--code-operator)' },
  { tag: tags.punctuation, color: 'var(--text-soft)' },
]);

export const expressionSupport = [expressionLanguage, syntaxHighlighting(colours)];
