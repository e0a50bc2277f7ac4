/** Which of the three views is visible. */
import { signal } from '@preact/signals';

export const VIEWS = ['query', 'schema', 'live'] as const;

export type ViewName = (typeof VIEWS)[number];

export const shownView = signal<ViewName>('query');
