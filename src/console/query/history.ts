/** The queries that were executed, the latest first. They stay in this browser. */
import { signal } from '@preact/signals';
import { readStored, store } from '../stored.js';
import type { LinkedQuery } from './link.js';

const STORED_AS = 'rowgate-history';
const ENTRIES_MAX = 50;

export interface HistoryEntry extends LinkedQuery {
  /** In milliseconds since 1970. */
  readonly at: number;
}

export const history = signal<readonly HistoryEntry[]>(restored());

/** Puts a query first; an equal one is removed. */
export function remember(query: LinkedQuery): void {
  if (query.query.trim() === '') return;
  const others = history.value.filter((each) => !isSame(each, query));
  keep([{ ...query, at: Date.now() }, ...others].slice(0, ENTRIES_MAX));
}

export function forgetAll(): void {
  keep([]);
}

function keep(entries: readonly HistoryEntry[]): void {
  history.value = entries;
  store('localStorage', STORED_AS, JSON.stringify(entries));
}

function restored(): readonly HistoryEntry[] {
  try {
    const entries: unknown = JSON.parse(readStored('localStorage', STORED_AS) ?? '[]');
    return Array.isArray(entries) ? entries.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(value: unknown): value is HistoryEntry {
  if (typeof value !== 'object' || value === null) return false;
  return 'query' in value && typeof value.query === 'string' && 'at' in value;
}

function isSame(a: LinkedQuery, b: LinkedQuery): boolean {
  return a.query === b.query && a.data === b.data && a.stage === b.stage && a.view === b.view;
}
