/** The API key or token that requests are sent with. It is forgotten when the tab is closed. */
import { signal } from '@preact/signals';

const STORED_AS = 'rowgate-key';

export const key = signal(sessionStorage.getItem(STORED_AS) ?? '');
/** Whether the gateway has refused a request for want of a key, or of a better one. */
export const isKeyRefused = signal(false);
/** Whether the user is being asked for a key. */
export const isKeyAsked = signal(false);
/** Grows when a key is entered, so that what was refused is asked again. */
export const keyChanges = signal(0);

/** Uses another key from now on; an empty text: none. */
export function applyKey(text: string): void {
  key.value = text.trim();
  isKeyRefused.value = false;
  isKeyAsked.value = false;
  keyChanges.value += 1;
  if (key.value === '') sessionStorage.removeItem(STORED_AS);
  else sessionStorage.setItem(STORED_AS, key.value);
}

/** Asks for a key at the first refusal; later ones leave the user alone. */
export function keyWasRefused(): void {
  if (!isKeyRefused.value) isKeyAsked.value = true;
  isKeyRefused.value = true;
}

/** The headers of a request. */
export function authorization(): Record<string, string> {
  return key.value === '' ? {} : { authorization: `Bearer ${key.value}` };
}
