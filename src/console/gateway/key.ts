/** The API key or token of requests. It is forgotten when the tab is closed. */
import { signal } from '@preact/signals';
import { readStored, store } from '../stored.js';

const STORED_AS = 'rowgate-key';

export const key = signal(readStored('sessionStorage', STORED_AS) ?? '');
/** Whether the gateway has refused a request because its key is missing or insufficient. */
export const isKeyRefused = signal(false);
/** Whether the user is being asked for a key. */
export const isKeyAsked = signal(false);
/** Increases when a key is entered, so that refused requests are sent again. */
export const keyChanges = signal(0);

/** Uses another key from now on; an empty string means none. */
export function applyKey(text: string): void {
  key.value = text.trim();
  isKeyRefused.value = false;
  isKeyAsked.value = false;
  keyChanges.value += 1;
  store('sessionStorage', STORED_AS, key.value);
}

/** Asks for a key after the first refusal, but not after later ones. */
export function keyWasRefused(): void {
  if (!isKeyRefused.value) isKeyAsked.value = true;
  isKeyRefused.value = true;
}

/** The header of a request that contains the key, if there is one. */
export function authorization(): Record<string, string> {
  return key.value === '' ? {} : { authorization: `Bearer ${key.value}` };
}
