/**
 * Rows of entities whose inserts listeners of the schema hear: kept as JSON in a temporary table, and
 * written at the end as one `bulkInsert` of some rows after the other, with the listeners around each.
 */
import {
  type DataObject,
  type DataValue,
  dialectOf,
  EngineError,
  type Fields,
  invariant,
  isDataObject,
} from '../../engine/index.js';
import type { Context } from '../context.js';
import { hearFailure, prepareHeardWrite, requestOf } from '../execution/heard-write.js';
import type { LaterWrite } from '../execution/later-writes.js';
import { type HeardRequest, listenersOf } from '../execution/listeners.js';
import { ReadyPlan } from '../plans.js';
import { SourceError } from '../sources/source-error.js';
import type { Statement, Written } from '../sources/source.js';
import { parseData } from '../tasks/parse-data.js';
import type { ImportEntity } from './import-entity.js';
import type { RowsPiece } from './scan-document.js';
import { storedPlan } from './stored-plan.js';

/** Rows of one `bulkInsert`. */
const ROWS_MAX = 1000;
const MIB = 1 << 20;
const LENGTH_MAX = MIB;
/** What listeners execute elsewhere is kept in memory until all is committed. */
const LATER_LENGTH_MAX = 64 * MIB;

const TABLE = 'rowgate_import_listened';

export interface ListenedSettings {
  readonly context: Context;
  readonly stage: string;
  readonly view: string;
  /** The instant of the import, as ISO 8601. */
  readonly instant: string;
}

/** Runs statements in the transaction of a source. */
export type RunOn = (
  source: string,
  statements: readonly Statement[],
) => Promise<readonly Written[]>;

/** Rows that stand behind one another in the document. */
interface Batch {
  readonly entity: ImportEntity;
  readonly place: string;
  readonly first: number;
  readonly texts: string[];
  length: number;
}

export class ListenedRows {
  readonly #settings: ListenedSettings;
  #batches: Batch[] = [];
  /** How many batches of each entity are kept. */
  readonly #counts = new Map<ImportEntity, number>();
  readonly #tables = new Set<string>();
  readonly #later: LaterWrite[] = [];
  #laterLength = 0;
  /** The request that runs. */
  #current: HeardRequest | undefined;
  #isStored = false;

  constructor(settings: ListenedSettings) {
    this.#settings = settings;
  }

  /** What listeners write once all is committed. */
  get later(): readonly LaterWrite[] {
    return this.#later;
  }

  /** Whether listeners hear inserts of the entity. */
  hears({ plan }: ImportEntity): boolean {
    return listenersOf(this.#settings.context, plan).length > 0;
  }

  /** Takes rows that were read and found right; `isStored`: their values are those of the columns. */
  add(entity: ImportEntity, piece: RowsPiece, place: string, isStored: boolean): void {
    this.#isStored = isStored;
    if (!this.#counts.has(entity)) this.#counts.set(entity, 0);
    const { bytes, ends, first } = piece;
    let start = 0;
    for (const [index, end] of ends.entries()) {
      const text = bytes.toString('utf8', start, end).replace(/^[\s,]+/, '');
      const batch = this.#batchAt(entity, place, first + index);
      batch.texts.push(text);
      batch.length += text.length;
      start = end;
    }
  }

  /** Sends the batches that are full; at the end, all of them. */
  async send(run: RunOn, isEnd: boolean): Promise<void> {
    const batches = isEnd ? this.#batches : this.#batches.slice(0, -1);
    this.#batches = isEnd ? [] : this.#batches.slice(-1);
    for (const batch of batches) await this.#keep(run, batch);
  }

  /** Writes the rows of an entity, if they are kept here. Rejects as a `bulkInsert` of them. */
  async store(run: RunOn, entity: ImportEntity): Promise<void> {
    const { source, dialect } = entity.sentence;
    const { placeholder } = dialectOf(dialect);
    const where = `entity = ${placeholder(1)} AND number = ${placeholder(2)}`;
    const text = `SELECT data FROM ${TABLE} WHERE ${where}`;
    for (let number = 0; number < (this.#counts.get(entity) ?? 0); number += 1) {
      const parameters = [String(entity.number), String(number)];
      const [found] = await run(source, [{ text, parameters, types: ['integer', 'integer'] }]);
      await this.#write(run, entity, textIn(found?.rows));
    }
  }

  /** Lets `error` listeners hear the failure: call it when all is undone. */
  async failed(error: unknown): Promise<void> {
    const { context, instant } = this.#settings;
    for (const entity of this.#counts.keys()) {
      const isCurrent = this.#current?.plan.root.entity === entity.name;
      const request = { plan: entity.plan, data: undefined, instant };
      await hearFailure(context, isCurrent && this.#current ? this.#current : request, error);
    }
  }

  #batchAt(entity: ImportEntity, place: string, index: number): Batch {
    const last = this.#batches.at(-1);
    const isOpen = last && last.texts.length < ROWS_MAX && last.length < LENGTH_MAX;
    if (isOpen && last.entity === entity && last.place === place) return last;
    const batch = { entity, place, first: index, texts: [], length: 0 };
    this.#batches.push(batch);
    return batch;
  }

  async #keep(run: RunOn, { entity, place, first, texts }: Batch): Promise<void> {
    const { source, dialect } = entity.sentence;
    if (!this.#tables.has(source)) {
      await run(source, [{ text: tableText(dialect), parameters: [] }]);
      this.#tables.add(source);
    }
    const number = this.#counts.get(entity) ?? 0;
    const data = `{"place":${JSON.stringify(place)},"first":${first},"rows":[${texts.join(',')}]}`;
    const { placeholder } = dialectOf(dialect);
    const values = [1, 2, 3].map((index) => placeholder(index)).join(', ');
    const text = `INSERT INTO ${TABLE} (entity, number, data) VALUES (${values})`;
    const parameters = [String(entity.number), String(number), data];
    await run(source, [{ text, parameters, types: ['integer', 'integer', 'string'] }]);
    this.#counts.set(entity, number + 1);
  }

  async #write(run: RunOn, entity: ImportEntity, text: string): Promise<void> {
    const { context, instant } = this.#settings;
    const { place, first, rows } = keptRows(text);
    const { planId, ready } = this.#planOf(entity, rows);
    const order = { planId, ready, data: rows, form: 'compact', instant } as const;
    this.#current = requestOf(order);
    try {
      const prepared = prepareHeardWrite(context, order);
      await prepared.run((statements, _last, { source }) => run(source, statements));
      this.#later.push(...prepared.later);
      if (prepared.later.length > 0) this.#laterLength += text.length;
    } catch (error) {
      throw relocated(error, (index) => `${place}[${first + index}]`);
    }
    this.#current = undefined;
    if (this.#laterLength <= LATER_LENGTH_MAX) return;
    const detail = `Rows of '${entity.name}' that listeners execute elsewhere may have ${LATER_LENGTH_MAX / MIB} MiB in one import.`;
    throw new EngineError('import-invalid', detail, { place });
  }

  #planOf(entity: ImportEntity, rows: readonly DataObject[]) {
    const { context, stage, view } = this.#settings;
    const text = `${entity.name}.bulkInsert()${includeClause(entity, rows)}`;
    const step = context.listening.executed.planOf(text, stage, view);
    if (!this.#isStored) return step;
    return { ...step, ready: new ReadyPlan(storedPlan(step.ready.plan), context.cipher) };
  }
}

function tableText(dialect: ImportEntity['sentence']['dialect']): string {
  const [type, end] =
    dialect === 'PostgreSQL' ? ['TEXT', ' ON COMMIT DROP'] : ['LONGTEXT CHARACTER SET utf8mb4', ''];
  return `CREATE TEMPORARY TABLE ${TABLE} (entity INT, number INT, data ${type})${end}`;
}

function textIn(rows: readonly Fields[] | undefined): string {
  const text = rows?.[0]?.[0];
  invariant(typeof text === 'string', 'rows that were kept');
  return text;
}

interface KeptRows {
  readonly place: string;
  readonly first: number;
  readonly rows: readonly DataObject[];
}

function keptRows(text: string): KeptRows {
  const kept = parseData(text);
  invariant(isDataObject(kept), 'rows that were kept');
  const { place, first, rows } = kept;
  invariant(typeof place === 'string' && typeof first === 'number', 'the place of kept rows');
  return { place, first, rows: objectsIn(rows) };
}

function objectsIn(list: DataValue | undefined): readonly DataObject[] {
  const items: readonly DataValue[] = Array.isArray(list) ? list : [];
  return items.filter(isDataObject);
}

/** Includes the relations under whose names rows nest. */
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

/** The error with the places of the document in place of those of the data. */
function relocated(error: unknown, placeOf: (index: number) => string): unknown {
  const moved = (place: string | undefined) =>
    place?.replace(/^data\[(\d+)\]/, (_, index: string) => placeOf(Number(index)));
  if (error instanceof SourceError) {
    const { code, message: detail, sqlstate, cause } = error;
    return new SourceError(code, { detail, sqlstate, cause, place: moved(error.place) });
  }
  if (!(error instanceof EngineError)) return error;
  const errors = error.errors?.map((each) => ({ ...each, place: moved(each.place) ?? '' }));
  return new EngineError(error.code, error.message, {
    ...error,
    place: moved(error.place),
    errors,
  });
}
