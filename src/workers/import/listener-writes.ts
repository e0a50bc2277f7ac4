/**
 * Imports entities that have listeners. Their rows are written at the end, as consecutive
 * `bulkInsert`s, each with its listeners.
 */
import {
  type DataObject,
  type DataValue,
  EngineError,
  invariant,
  isDataObject,
  type StatementPlan,
  type WriteRow,
} from '../../engine/index.js';
import { addToGroup } from '../add-to-group.js';
import type { Context } from '../context.js';
import type { DeferredWrite } from '../execute/deferred-writes.js';
import { runErrorHooks } from '../execute/hooks-apart.js';
import { prepareWithHooks, requestOf } from '../execute/write-with-hooks.js';
import { type HookedRequest, mayHaveHooks } from '../execute/hooks.js';
import { Plans, ReadyPlan } from '../plans.js';
import { SourceError } from '../database/source-error.js';
import type { ImportEntity } from './import-entity.js';
import type { DeferredRows } from './deferred-rows.js';
import { importOf, type Imports, type SourceImport } from './source-import.js';
import type { PlacedRow } from './parse-rows.js';
import type { ImportRow, RowReader } from './row-reader.js';
import { storedPlan } from './stored-plan.js';

const MIB = 1 << 20;
/** The queries are made from the document, which has limits of its own. */
const limits = { expressionLengthMax: MIB, nestingMax: 1000, includeDepthMax: 100 };
/** The most characters of writes to other sources, which stay in memory until the commit. */
const LATER_LENGTH_MAX = 64 * MIB;

export interface ListenerSettings {
  readonly context: Context;
  readonly stage: string;
  readonly view: string;
  /** The instant of the import, as ISO 8601. */
  readonly instant: string;
  /** Reads rows that were already read and counted. */
  readonly secondReader: RowReader;
}

export class ListenerWrites {
  readonly #settings: ListenerSettings;
  readonly #plans: Plans;
  /** The entities of the document that have listeners. */
  readonly #entities = new Set<ImportEntity>();
  readonly #deferred: DeferredWrite[] = [];
  #deferredLength = 0;
  /** The `bulkInsert` that is running. */
  #current: HookedRequest | undefined;

  constructor(settings: ListenerSettings) {
    this.#settings = settings;
    const { catalog, cipher, settings: own } = settings.context;
    this.#plans = new Plans({ ...own, catalog, cipher, limits });
  }

  /** The writes of listeners that run after the commit. */
  get deferred(): readonly DeferredWrite[] {
    return this.#deferred;
  }

  /** Whether listeners may apply to inserts; if so, `error` listeners run after a failure. */
  concerns(entity: ImportEntity): boolean {
    const { context, instant } = this.#settings;
    const hasListeners = mayHaveHooks(context, entity.plan, instant);
    if (hasListeners) this.#entities.add(entity);
    return hasListeners;
  }

  /** Writes the rows of an entity. Rejects like a `bulkInsert`. */
  async write(imports: Imports, deferred: DeferredRows, entity: ImportEntity): Promise<void> {
    for await (const rows of deferred.batchesOf(entity)) await this.#write(imports, entity, rows);
  }

  /** Runs the `error` listeners; call it after the rollback. */
  async failed(error: unknown): Promise<void> {
    const { context, instant } = this.#settings;
    for (const { name, plan } of this.#entities) {
      const current = this.#current?.plan.root.entity === name ? this.#current : undefined;
      await runErrorHooks(context, current ?? { plan, data: undefined, instant }, error);
    }
  }

  async #write(imports: Imports, entity: ImportEntity, rows: readonly PlacedRow[]): Promise<void> {
    const { context, instant } = this.#settings;
    const data = rows.map(({ object }) => object);
    const ready = this.#planOf(entity, data);
    let stored: readonly WriteRow[] = [];
    const onStored = (own: readonly WriteRow[]): void => {
      stored = own;
    };
    const order = { ready, data, form: 'compact', instant, isImport: true, onStored } as const;
    this.#current = requestOf(order);
    try {
      const { prepared, deferred } = prepareWithHooks(context, order);
      const written = this.#importRows(imports, entity, rows);
      for (const [one, some] of written) await one.makeRoom?.(some);
      const own = statementsOf(ready.plan.root);
      await prepared.run((statements, _last, plan) => {
        const one = importOf(imports, plan.source);
        // Those of listeners are checked at once.
        return own.has(plan) && one.runUnchecked && statements.length > 0
          ? one.runUnchecked(statements)
          : one.run(statements);
      });
      for (const [one, some] of written) {
        if (!one.record) continue;
        fillKeys(some, stored, rows);
        await one.record(some);
      }
      this.#defer(entity, deferred, data);
    } catch (error) {
      throw relocated(error, rows);
    }
    this.#current = undefined;
  }

  /** The rows, and those nested in them, by the import of their source. */
  #importRows(imports: Imports, entity: ImportEntity, placed: readonly PlacedRow[]) {
    const rows: ImportRow[] = [];
    for (const each of placed) this.#settings.secondReader.read(entity, each, rows);
    const groups = new Map<SourceImport, ImportRow[]>();
    for (const row of rows) addToGroup(groups, importOf(imports, row.entity.statement.source), row);
    return groups;
  }

  #planOf(entity: ImportEntity, rows: readonly DataObject[]) {
    const { context, stage, view } = this.#settings;
    const text = `${entity.name}.bulkInsert()${includeClause(entity, rows)}`;
    const ready = this.#plans.planOf(text, stage, view);
    return entity.isStored ? new ReadyPlan(storedPlan(ready.plan), context.cipher) : ready;
  }

  #defer({ name }: ImportEntity, deferred: readonly DeferredWrite[], data: readonly DataObject[]) {
    if (deferred.length === 0) return;
    this.#deferred.push(...deferred);
    this.#deferredLength += JSON.stringify(data).length;
    if (this.#deferredLength <= LATER_LENGTH_MAX) return;
    const most = `${LATER_LENGTH_MAX / MIB} MiB`;
    const detail = `Listeners write rows of '${name}' to other sources: one import may have ${most} of them.`;
    throw new EngineError('import-invalid', detail);
  }
}

function statementsOf(root: StatementPlan): ReadonlySet<StatementPlan> {
  const included = root.includes.flatMap(({ statement }) => [...statementsOf(statement)]);
  return new Set([root, ...included]);
}

/** Copies the keys of parents into nested rows from the same rows as they were stored. */
function fillKeys(
  rows: readonly ImportRow[],
  stored: readonly WriteRow[],
  placed: readonly PlacedRow[],
): void {
  const waiting = rows.filter((row) => row.waiting);
  if (waiting.length === 0) return;
  const byPlace = new Map<string, WriteRow>();
  for (const row of nestedIn(stored)) byPlace.set(documentPlace(row.place, placed), row);
  for (const { row, waiting: own } of waiting) {
    const same = byPlace.get(row.place);
    invariant(same, 'a stored row for each that is nested');
    for (const name of own?.nesting.to ?? []) row.given.set(name, same.given.get(name) ?? null);
  }
}

/** The rows that are nested in others, at any depth. */
function* nestedIn(rows: readonly WriteRow[]): Generator<WriteRow> {
  for (const { related } of rows) {
    for (const own of related) {
      yield* own;
      yield* nestedIn(own);
    }
  }
}

function documentPlace(place: string, rows: readonly PlacedRow[]): string {
  return place.replace(/^data\[(\d+)\]/, (_, index: string) => rows[Number(index)]?.place ?? '');
}

/** The error with places in the document instead of places in the data. */
function relocated(error: unknown, rows: readonly PlacedRow[]): unknown {
  const moved = (place: string | undefined) => place && documentPlace(place, rows);
  if (error instanceof SourceError)
    return error.with({ place: moved(error.place), violation: undefined });
  if (!(error instanceof EngineError)) return error;
  const errors = error.errors?.map((each) => ({ ...each, place: moved(each.place) ?? '' }));
  return new EngineError(error.code, error.message, {
    ...error,
    place: moved(error.place),
    errors,
  });
}

/** `.include(p=>[p.details])` if rows have nested details; empty if there are no nested rows. */
function includeClause(entity: ImportEntity, rows: readonly DataObject[]): string {
  const nested = new Map<string, { entity: ImportEntity; rows: DataObject[] }>();
  for (const row of rows) {
    for (const name of Object.keys(row)) {
      const member = entity.member(name);
      const items = member?.kind === 'rows' ? objectsIn(row[name]) : [];
      if (member?.kind !== 'rows' || items.length === 0) continue;
      const known = nested.get(name) ?? { entity: member.nesting.entity, rows: [] };
      for (const item of items) known.rows.push(item);
      nested.set(name, known);
    }
  }
  if (nested.size === 0) return '';
  const parts = [...nested].map(([name, own]) => `p.${name}${includeClause(own.entity, own.rows)}`);
  return `.include(p=>[${parts.join(',')}])`;
}

function objectsIn(list: DataValue | undefined): readonly DataObject[] {
  const items: readonly DataValue[] = Array.isArray(list) ? list : [];
  return items.filter(isDataObject);
}
