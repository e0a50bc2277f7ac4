/** The editor of expressions: CodeMirror, in a shadow root so that the page needs no inline styles. */
import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { effect, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Problem } from '../gateway/problem.js';
import { completionSource, type Vocabulary } from './completion.js';
import { editorTheme } from './editor-theme.js';
import { expressionSupport } from './language.js';
import { marksOf } from './marks.js';

/**
 * The number of suggestions that are visible at once. The arrow keys lead to the others, because
 * the keyboard cannot reach a list that scrolls.
 */
const SUGGESTIONS_SHOWN = 12;

export interface EditorProps {
  readonly text: Signal<string>;
  readonly fault: { readonly value: Problem | undefined };
  readonly vocabulary: () => Vocabulary;
  readonly run: () => void;
}

export function Editor(props: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (host.current === null) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    return startEditor(root, props);
  }, []);
  return <div class="column editor" ref={host} />;
}

/** Shows an editor in the root. Returns a function that removes it. */
function startEditor(root: ShadowRoot, { text, fault, vocabulary, run }: EditorProps): () => void {
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text.peek(),
      extensions: [extensionsOf(vocabulary, run), followText(text)],
    }),
  });
  const stopText = effect(() => {
    const wanted = text.value;
    const { doc } = view.state;
    if (wanted === doc.toString()) return;
    view.dispatch({ changes: { from: 0, to: doc.length, insert: wanted } });
  });
  const stopMarks = effect(() => {
    view.dispatch(setDiagnostics(view.state, marksOf(fault.value, view.state.doc)));
  });
  return () => {
    stopText();
    stopMarks();
    view.destroy();
  };
}

function followText(text: Signal<string>) {
  return EditorView.updateListener.of(({ docChanged, state }) => {
    if (docChanged) text.value = state.doc.toString();
  });
}

function extensionsOf(vocabulary: () => Vocabulary, run: () => void) {
  const runKey = {
    key: 'Mod-Enter',
    run: () => {
      run();
      return true;
    },
  };
  return [
    // Keys that are held down must not run a write again and again.
    EditorView.domEventHandlers({
      keydown: ({ repeat, key, ctrlKey, metaKey }) =>
        repeat && key === 'Enter' && (ctrlKey || metaKey),
    }),
    ...[history(), lineNumbers(), drawSelection(), highlightActiveLine()],
    ...[bracketMatching(), closeBrackets(), EditorView.lineWrapping, editorTheme],
    ...[expressionSupport, placeholder('Orders.filter(p=>p.id==id)')],
    // Without a delay, Tab never leaves the editor while suggestions are shown.
    autocompletion({
      override: [completionSource(vocabulary)],
      interactionDelay: 0,
      icons: false,
      maxRenderedOptions: SUGGESTIONS_SHOWN,
    }),
    EditorView.contentAttributes.of({ 'aria-label': 'Query expression', spellcheck: 'false' }),
    // Tab accepts a completion; otherwise it leaves the editor, as keyboard users expect.
    keymap.of([
      runKey,
      { key: 'Tab', run: acceptCompletion },
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...historyKeymap,
      ...completionKeymap,
      ...lintKeymap,
    ]),
  ];
}
