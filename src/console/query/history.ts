/** The queries that were executed, the latest first. They stay in this browser. */
import { signal } from '@preact/signals';
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
  store([{ ...query, at: Date.now() }, ...others].slice(0, ENTRIES_MAX));
}

export function forgetAll(): void {
  store([]);
}

function store(entries: readonly HistoryEntry[]): void {
  history.value = entries;
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(entries));
  } catch {
    // The storage is full or disabled, so the list lasts as long as the page.
  }
}

function restored(): readonly HistoryEntry[] {
  try {
    const entries: unknown = JSON.parse(localStorage.getItem(STORED_AS) ?? '[]');
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
