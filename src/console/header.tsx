/** The header: the tabs, the stage and view of queries, the key, the colours. */
import type { Signal } from '@preact/signals';
import { isKeyAsked, isKeyRefused, key } from './gateway/key.js';
import { stages, views } from './query/schema-state.js';
import { stage, view } from './query/state.js';
import { shownView, VIEWS } from './shown-view.js';
import { Choice } from './ui/choice.js';
import { IconButton } from './ui/icons.js';
import { chooseTheme, theme, THEMES } from './ui/theme.js';

const labels = { query: 'Query', schema: 'Schema', live: 'Live' } as const;

export function Header() {
  return (
    <header class="header">
      <h1 class="brand">
        <Mark /> Rowgate <span>console</span>
      </h1>
      <nav aria-label="Views">
        {VIEWS.map((name) => (
          <button
            type="button"
            key={name}
            aria-current={shownView.value === name ? 'page' : undefined}
            onClick={() => (shownView.value = name)}
          >
            {labels[name]}
          </button>
        ))}
      </nav>
      <div class="header-tools">
        <NameChoice label="Stage" chosen={stage} names={stages.value} />
        <NameChoice label="View" chosen={view} names={views.value} />
        {(key.value !== '' || isKeyRefused.value) && (
          <IconButton
            icon="key"
            label="API key or token"
            title="API key or token"
            act={() => (isKeyAsked.value = true)}
          />
        )}
        <ThemeButton />
      </div>
    </header>
  );
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M8 10h16M8 16h10M8 22h16" />
      <circle cx="23.5" cy="16" r="2.2" />
    </svg>
  );
}

/** Chooses a stage or a view. Hidden if there is only one. */
function NameChoice({
  label,
  chosen,
  names,
}: {
  readonly label: string;
  readonly chosen: Signal<string>;
  readonly names: readonly string[];
}) {
  if (names.length < 2 && chosen.value === '') return null;
  // A link may name a stage or a view that the gateway does not list for this key.
  const known = new Set([...names, chosen.value]);
  known.delete('default');
  known.delete('');
  return (
    <Choice
      label={label}
      chosen={chosen.value}
      choose={(name) => (chosen.value = name)}
      names={['', ...known]}
    />
  );
}

function ThemeButton() {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
  return (
    <IconButton
      icon="theme"
      label={`Colours: ${theme.value}. Change to ${next}.`}
      title={`Colours: ${theme.value}`}
      act={() => chooseTheme(next)}
    />
  );
}
