/** The colours: those of the system, or those that the user has chosen. */
import { signal } from '@preact/signals';
import { readStored, store } from '../stored.js';

export const THEMES = ['system', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

const STORED_AS = 'rowgate-theme';

export const theme = signal<Theme>('system');

/** Chooses colours, and remembers the choice. */
export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  document.documentElement.dataset['theme'] = chosen;
  store('localStorage', STORED_AS, chosen);
}

/** Restores the last choice. */
export function restoreTheme(): void {
  const stored = readStored('localStorage', STORED_AS);
  chooseTheme(THEMES.find((each) => each === stored) ?? 'system');
}
