/**
 * Separate body templates for each scope, because principals may have different views for the same
 * body.
 */
import { LRUCache } from 'lru-cache';
import { BodyTemplateCache } from '../body-template-cache.js';
import type { Principal } from './principal.js';

export type BodiesFor = (principal: Principal | undefined) => BodyTemplateCache;

/** Each takes up to 4 MiB. */
const SCOPES_MAX = 16;

export function createBodies(): BodiesFor {
  const common = new BodyTemplateCache();
  const scoped = new LRUCache<string, BodyTemplateCache>({ max: SCOPES_MAX });
  return (principal) => {
    if (principal === undefined || principal.scope === '') return common;
    const known = scoped.get(principal.scope);
    const bodies = known ?? new BodyTemplateCache();
    if (!known) scoped.set(principal.scope, bodies);
    return bodies;
  };
}
