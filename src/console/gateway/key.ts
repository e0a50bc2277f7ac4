/** The API key or token that requests are sent with. It is forgotten when the tab is closed. */
import { signal } from '@preact/signals';

const STORED_AS = 'rowgate-key';

export const key = signal(sessionStorage.getItem(STORED_AS) ?? '');
/** Whether a request was answered that it needs a key, or a better one. */
export const isKeyNeeded = signal(false);
/** Grows when a key is entered, so that what was refused is asked again. */
export const keyChanges = signal(0);

/** Uses another key from now on; an empty text: none. */
export function applyKey(text: string): void {
  key.value = text.trim();
  isKeyNeeded.value = false;
  keyChanges.value += 1;
  if (key.value === '') sessionStorage.removeItem(STORED_AS);
  else sessionStorage.setItem(STORED_AS, key.value);
}

/** The headers of a request. */
export function authorization(): Record<string, string> {
  return key.value === '' ? {} : { authorization: `Bearer ${key.value}` };
}
