/** The header: the views, the stage and the view of the schema, the key, the colours. */
import { stages, views } from './query/schema-state.js';
import { stage, view } from './query/state.js';
import { Icon } from './ui/icons.js';
import { chooseTheme, theme, THEMES } from './ui/theme.js';
import type { Signal } from '@preact/signals';

export function Header() {
  return (
    <header class="header">
      <h1 class="brand">
        Rowgate <span>console</span>
      </h1>
      <div class="header-tools">
        <Choice label="Stage" chosen={stage} names={stages.value} />
        <Choice label="View" chosen={view} names={views.value} />
        <ThemeButton />
      </div>
    </header>
  );
}

/** A list of names. With one name there is nothing to choose. */
function Choice({
  label,
  chosen,
  names,
}: {
  readonly label: string;
  readonly chosen: Signal<string>;
  readonly names: readonly string[];
}) {
  if (names.length < 2 && chosen.value === '') return null;
  return (
    <label class="choice">
      <span>{label}</span>
      <select
        value={chosen.value}
        onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}
      >
        <option value="">default</option>
        {names
          .filter((name) => name !== 'default')
          .map((name) => (
            <option key={name}>{name}</option>
          ))}
      </select>
    </label>
  );
}

function ThemeButton() {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
  return (
    <button
      type="button"
      class="button icon-only"
      aria-label={`Colours: ${theme.value}. Change to ${next}.`}
      title={`Colours: ${theme.value}`}
      onClick={() => chooseTheme(next)}
    >
      <Icon name="theme" />
    </button>
  );
}
