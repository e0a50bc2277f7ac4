/** The browser's storage, where there is one: it may be full, or blocked together with cookies. */

type StorageName = 'localStorage' | 'sessionStorage';

export function readStored(storage: StorageName, key: string): string | undefined {
  try {
    return globalThis[storage].getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a text, or removes it if it is empty. If that is not possible, it lasts as long as the page. */
export function store(storage: StorageName, key: string, text: string): void {
  try {
    if (text === '') globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, text);
  } catch {
    // Nothing else depends on it.
  }
}
