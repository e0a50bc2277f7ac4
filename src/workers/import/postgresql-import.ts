/**
 * The import into one PostgreSQL source. Rows are staged in temporary tables by COPY while the
 * document is read, and copied into the tables of the schema at its end.
 */
import { addToGroup } from '../add-to-group.js';
import { writtenTexts } from '../database/read-texts.js';
import { SourceError } from '../database/source-error.js';
import { plain, type Statement, type Written } from '../database/statement.js';
import { copyLine, placeOfLine } from './copy-line.js';
import type { ImportEntity, Nesting } from './import-entity.js';
import type { ImportRow } from './row-reader.js';
import { checkRows, unknownKey } from './row-checks.js';
import type { SourceImport, SourceImportSettings } from './source-import.js';
import { placedFault, RELEASE, SAVEPOINT, UNDO } from './staged-fault.js';
import {
  copyStatement,
  createStatement,
  defaultsStatement,
  defaultStatements,
  insertStatement,
  insertTogetherStatement,
  keysOf,
  makeStatements,
  moveInheritedStatements,
  moveStatement,
  parentStatement,
  requiredDomainsStatement,
  type Staged,
  withoutDomains,
} from './staged-statements.js';

/** Any number that other programs do not lock; this one spells "rowi". */
const ADVISORY_LOCK = '1919907689';
/** How many bytes of lines are collected before they are sent. */
const SEND_BYTES = 1 << 20;

/**
 * The session may have planned the checks of foreign keys when the tables were small: with a scan of the referenced
 * table, which would run once for each row. Plans are made again when the referenced tables are filled.
 */
const FORGET_PLANS = plain('DISCARD PLANS');
/** Numbers that the session has taken in advance from a sequence with a cache may be keys of the document. */
const FORGET_NUMBERS = plain('DISCARD SEQUENCES');

interface Stage extends Staged {
  readonly nestings: Set<Nesting>;
  /** The lines that were not sent yet. */
  lines: Buffer[];
  count: number;
  /** How many of its rows the table has left out. */
  leftOut: number;
}

export class PostgresqlImport implements SourceImport {
  readonly makesKeysAtOnce = false;
  readonly #settings: SourceImportSettings;
  readonly #stages = new Map<ImportEntity, Stage>();
  #bytes = 0;
  /** Resolves when the lines being sent have arrived. */
  #sending: Promise<unknown> = Promise.resolve();

  constructor(settings: SourceImportSettings) {
    this.#settings = settings;
  }

  begin(): Promise<unknown> {
    return this.run([plain('SET CONSTRAINTS ALL DEFERRED')]);
  }

  async take(rows: readonly ImportRow[]): Promise<void> {
    const groups = new Map<ImportEntity, ImportRow[]>();
    for (const row of rows) addToGroup(groups, row.entity, row);
    for (const [entity, own] of groups) {
      const stage = this.#stages.get(entity) ?? (await this.#open(entity));
      this.#bytes += writeLines(stage, own);
    }
    if (this.#bytes >= SEND_BYTES) await this.#sendAll();
  }

  async complete(): Promise<void> {
    await this.#sendAll();
    await this.run([lockStatement(this.#settings.source), FORGET_PLANS, FORGET_NUMBERS]);
    for (const each of this.#settings.keys.inSource(this.#settings.source)) {
      await this.#runFor(each.entity, [moveStatement(each)]);
    }
    const stages = [...this.#stages.values()];
    for (const stage of stages) await this.#runFor(stage.entity, makeStatements(stage));
    await this.#giveParentKeys(stages.flatMap(({ nestings }) => [...nestings]));
    for (const stage of stages) await this.#runFor(stage.entity, moveInheritedStatements(stage));
  }

  async store(entity: ImportEntity, circle: readonly ImportEntity[]) {
    const stage = this.#stages.get(entity);
    if (!stage) return new Map<ImportEntity, number>();
    await this.#fillDefaults(stage);
    const others = circle.flatMap((each) => this.#stages.get(each) ?? []);
    try {
      const [, written] = await this.run([SAVEPOINT, insertStatement(stage), RELEASE]);
      stage.leftOut = stage.count - (written?.count ?? 0);
      return new Map([[entity, stage.leftOut]]);
    } catch (error) {
      const isCircle = error instanceof SourceError && error.code === 'foreign-key-violation';
      if (!isCircle || others.length === 0) throw await this.#placed(error, [stage], entity);
      await this.run([UNDO, RELEASE]);
      return this.#storeTogether([stage, ...others]);
    }
  }

  /** Stores entities that refer to each other by keys that the database does not defer. */
  async #storeTogether(stages: readonly Stage[]) {
    for (const stage of stages.slice(1)) await this.#fillDefaults(stage);
    const written = await this.#runPlaced(stages, insertTogetherStatement(stages));
    const [counts = []] = writtenTexts(written);
    for (const [index, stage] of stages.entries()) {
      stage.leftOut = stage.count - Number(counts[index]);
    }
    return new Map(stages.map(({ entity, leftOut }) => [entity, leftOut]));
  }

  /** Gives rows that lack a value the defaults of their columns. */
  async #fillDefaults(stage: Stage): Promise<void> {
    const reading = defaultsStatement(stage);
    const [read] = reading ? await this.run([reading]) : [];
    await this.#runFor(stage.entity, defaultStatements(stage, writtenTexts(read)));
  }

  async check(): Promise<void> {
    await this.#runPlaced([...this.#stages.values()], plain('SET CONSTRAINTS ALL IMMEDIATE'));
    for (const stage of this.#stages.values()) await this.#checkRows(stage);
  }

  async run(statements: readonly Statement[]): Promise<readonly Written[]> {
    // The first failed lines explain more than later errors.
    await this.#sending;
    return this.#settings.lease.write(statements, false);
  }

  async idle(): Promise<void> {
    await this.#sending.catch(() => undefined);
  }

  async #open(entity: ImportEntity): Promise<Stage> {
    const making = [createStatement(entity), requiredDomainsStatement(entity)];
    const [, domains] = await this.#runFor(entity, making);
    await this.#runFor(entity, withoutDomains(entity, writtenTexts(domains)));
    const stage: Stage = {
      entity,
      isPresent: entity.fields.map(() => false),
      isAbsent: entity.fields.map(() => false),
      nestings: new Set(),
      lines: [],
      count: 0,
      leftOut: 0,
    };
    this.#stages.set(entity, stage);
    return stage;
  }

  /** Gives nested rows their parents' keys: again where a parent has got a part of its key in the same way. */
  async #giveParentKeys(nestings: readonly Nesting[]): Promise<void> {
    const pending = new Set(nestings);
    for (const nesting of pending) {
      pending.delete(nesting);
      const { entity, to } = nesting;
      const [written] = await this.#runFor(entity, [parentStatement(nesting)]);
      if (!written?.count) continue;
      const isPassedOn = ({ parent, from }: Nesting) =>
        parent === entity && from.some((name) => to.includes(name));
      for (const other of nestings.filter(isPassedOn)) pending.add(other);
    }
  }

  async #checkRows(stage: Stage): Promise<void> {
    const { entity, leftOut } = stage;
    if (!entity.write.checks) return;
    const keys = keysOf(stage);
    if (!keys) throw unknownKey(entity);
    const run = (statements: readonly Statement[]) => this.#runFor(entity, statements);
    const placeOf = (place: string | null) => Promise.resolve(place ?? undefined);
    await checkRows(run, entity, keys, { leftOut, placeOf });
  }

  /** Sends all lines after the previous ones; meanwhile, new lines are collected. */
  async #sendAll(): Promise<void> {
    this.#bytes = 0;
    for (const stage of this.#stages.values()) {
      const { entity, lines: collected } = stage;
      if (collected.length === 0) continue;
      stage.lines = [];
      await this.#sending;
      const lines = Buffer.concat(collected);
      const copy = copyStatement(entity, lines);
      this.#sending = this.#settings.lease.write([copy], false).catch((error: unknown) => {
        throw this.#settings.faultOf(copyFault(error, entity, lines), entity);
      });
      // The next send reports the error.
      this.#sending.catch(() => undefined);
    }
  }

  /** Runs a statement that checks rows; its error has the place of the row, if that is found. */
  async #runPlaced(stages: readonly Stage[], statement: Statement): Promise<Written | undefined> {
    try {
      return (await this.run([SAVEPOINT, statement, RELEASE]))[1];
    } catch (error) {
      throw await this.#placed(error, stages);
    }
  }

  async #placed(error: unknown, stages: readonly Stage[], entity?: ImportEntity): Promise<unknown> {
    const placed = await placedFault(error, stages, (statements) => this.run(statements));
    return this.#settings.faultOf(placed, entity);
  }

  #runFor(entity: ImportEntity, statements: readonly Statement[]): Promise<readonly Written[]> {
    return this.run(statements).catch((error: unknown) => {
      throw this.#settings.faultOf(error, entity);
    });
  }
}

/** Writes rows as lines; returns the size of these lines. */
function writeLines(stage: Stage, rows: readonly ImportRow[]): number {
  let text = '';
  for (const row of rows) {
    text += copyLine(row, stage);
    if (row.waiting) stage.nestings.add(row.waiting.nesting);
  }
  // Encoded at once, because keeping strings costs more than encoding them.
  const bytes = Buffer.from(text);
  stage.lines.push(bytes);
  stage.count += rows.length;
  return bytes.length;
}

/** Adds the place of the failed row in the document to an error of COPY. */
function copyFault(error: unknown, { fields, write }: ImportEntity, lines: Buffer): unknown {
  if (!(error instanceof SourceError) || !error.at) return error;
  const row = placeOfLine(lines, error.at.row ?? 0);
  const [, index] = /^c(\d+)$/.exec(error.violation?.columns[0] ?? '') ?? [];
  const field = index === undefined ? undefined : fields[Number(index)];
  if (row === undefined) return error;
  if (field && error.code === 'evaluation-failed') {
    const violation = { table: write.storedTable, columns: [field.storedColumn], values: [] };
    return error.with({ place: row, violation });
  }
  const place = field ? `${row}.${field.property}` : row;
  return error.with({ place, violation: undefined });
}

/**
 * Serializes imports into a source, because they move sequences and lock rows in different orders.
 * The lock is named after the source: if two sources are in one database, an import into both must
 * not wait for itself.
 */
function lockStatement(source: string): Statement {
  return plain(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK}, hashtext($1))`, [source]);
}
