/**
 * Exports a stage as the document that an import takes, all of a source as of one instant. Under a
 * view it holds what the view shows; without one, everything.
 */
import {
  type Catalog,
  catalogUnderView,
  compileQuery,
  createCatalog,
  exportExpression,
  exportTrees,
} from '../../engine/index.js';
import { createCipher } from '../cipher/cipher.js';
import { Answer } from '../execute/answer.js';
import { type Cancellation, createCancellation } from '../cancellation.js';
import { type Clients, withStageClients } from '../import/stage-clients.js';
import type { WorkerReply } from '../protocol.js';
import { ExportSession } from '../database/postgresql-export-session.js';
import type { Session } from '../database/source.js';
import type { SourceRegistry } from '../database/registry.js';
import { exportRows } from './export-rows.js';

/** Bytes that may wait to be written. */
const WINDOW_BYTES = 1 << 20;

interface ExportSettings {
  readonly catalog: Catalog;
  readonly stage: string;
  /** Undefined: everything is told. */
  readonly view?: string;
  readonly sources: SourceRegistry;
  /** Indent by two spaces. */
  readonly pretty: boolean;
}

export interface ExportOrder extends ExportSettings {
  /** Takes the document piece by piece; the next one comes when it has resolved. */
  readonly write: (bytes: Uint8Array) => Promise<void> | void;
  readonly cancellation?: Cancellation;
}

/** Writes the whole document. Rejects with what `write` throws, or with a `SourceError`. */
export async function exportDocument(order: ExportOrder): Promise<void> {
  const cancellation = createCancellation();
  const forget = order.cancellation?.onCancel(() => cancellation.cancel());
  let written: Promise<void> = Promise.resolve();
  const pass = (bytes: Uint8Array): void => {
    written = written.then(async () => {
      await order.write(bytes);
      answer.credit(bytes.byteLength);
    });
    written.catch(() => cancellation.cancel());
  };
  const send = (reply: WorkerReply): void => {
    if (reply.type === 'part') pass(reply.bytes);
  };
  const outlet = { send, sendWhole: (_: number, bytes: Uint8Array) => pass(bytes.slice()) };
  const answer: Answer = new Answer(0, outlet, WINDOW_BYTES);
  try {
    await writeExport({ ...order, answer, cancellation });
    answer.end();
  } finally {
    forget?.();
    // Its own failure is the cause of any other.
    await written;
  }
}

export interface AnswerOrder extends ExportSettings {
  readonly answer: Answer;
  readonly cancellation: Cancellation;
}

/** Writes the document to an answer, without ending it. */
export async function writeExport(order: AnswerOrder): Promise<void> {
  const outcome = await withStageClients({ ...order, mode: SNAPSHOT }, (clients) =>
    exportFrom(order, clients),
  );
  if (outcome) throw outcome.error;
}

/** Everything as of one instant. */
const SNAPSHOT = { isolation: 'repeatableRead', readOnly: true } as const;

/** A failure behind which the connections are as good as before. */
interface Failure {
  readonly error: unknown;
}

async function exportFrom(order: AnswerOrder, clients: Clients): Promise<Failure | undefined> {
  const sessions = new Map<string, Session>();
  const snapshots: ExportSession[] = [];
  for (const [name, client] of clients) {
    if (client.kind === 'mysql') sessions.set(name, client.session);
    else {
      const snapshot = new ExportSession(client.client);
      snapshots.push(snapshot);
      sessions.set(name, snapshot);
    }
  }
  const forget = order.cancellation.onCancel(() => {
    order.answer.letGo();
    for (const session of sessions.values()) session.cancel();
  });
  const failure = await failureOf(async () => {
    for (const session of snapshots) await session.begin();
    await writeDocument(order, sessions);
  });
  forget();
  for (const session of snapshots) {
    const unfit = await failureOf(() => session.end());
    // Thrown, so that the connections are given up; the first error is the one to tell.
    if (unfit) throw failure?.error ?? unfit.error;
  }
  return failure;
}

async function failureOf(work: () => Promise<void>): Promise<Failure | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return { error };
  }
}

async function writeDocument(
  order: AnswerOrder,
  sessions: ReadonlyMap<string, Session>,
): Promise<void> {
  const { answer, pretty } = order;
  const { catalog, view } = catalogOf(order);
  const shown = catalogUnderView(catalog, view);
  const trees = exportTrees(shown, order.stage);
  // A whole export holds what is stored, so that an import of it stores the same again.
  const stored = shown === catalog.unrestricted;
  const cipher = createCipher();
  const layout = pretty ? prettyLayout : compactLayout;
  let before: string = layout.open(stored && isChanged(catalog));
  for (const tree of trees) {
    answer.write(`${before}${layout.entity}${JSON.stringify(tree.name)}${layout.rows}`);
    const expression = exportExpression(tree);
    const { stage } = order;
    const plan = compileQuery(catalog, { expression, stage, view, limits, stored });
    await exportRows({ plan, pretty, answer, sessions, cipher });
    answer.write(layout.endOfEntity);
    before = layout.between;
  }
  answer.write(trees.length > 0 ? layout.close : layout.none);
}

/** Whether what is stored of some property is not what is written of it. */
function isChanged({ schema }: Catalog): boolean {
  return schema.domain.entities.some(
    ({ hadWriteExps, hadWriteValues }) => hadWriteExps || hadWriteValues,
  );
}

const compactLayout = {
  open: (isMarked: boolean) => `{${isMarked ? '"values":"stored",' : ''}"entities":[`,
  entity: '{"entity":',
  rows: ',"rows":',
  endOfEntity: '}',
  between: ',',
  close: ']}',
  none: '{"entities":[]}',
} as const;

const prettyLayout = {
  open: (isMarked: boolean) =>
    `{\n  ${isMarked ? '"values": "stored",\n  ' : ''}"entities": [\n    `,
  entity: '{\n      "entity": ',
  rows: ',\n      "rows": ',
  endOfEntity: '\n    }',
  between: ',\n    ',
  close: '\n  ]\n}',
  none: '{\n  "entities": []\n}',
} as const satisfies Record<keyof typeof compactLayout, unknown>;

const WHOLE = 'whole';

/** Without a view: the same schema under a single one, which hides nothing. */
function catalogOf({ catalog, view }: AnswerOrder): { catalog: Catalog; view: string } {
  if (view !== undefined) return { catalog, view };
  const views = [{ name: WHOLE, entities: [] }];
  return { catalog: createCatalog({ ...catalog.unrestricted.schema, views }), view: WHOLE };
}

/** What the schema's file makes is not bounded as what a client writes. */
const limits = { expressionLengthMax: 1 << 20, nestingMax: 1000, includeDepthMax: 100 };
