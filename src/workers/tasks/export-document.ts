/**
 * Exports a stage as a document for an import, with a consistent snapshot of each source. Under a
 * view, it contains what the view shows.
 */
import {
  type Catalog,
  catalogUnderView,
  compileQuery,
  createByteWriter,
  exportExpression,
  exportTrees,
  readArguments,
} from '../../engine/index.js';
import type { Cancellation } from '../cancellation.js';
import { createCipher } from '../cipher/cipher.js';
import type { SourceRegistry } from '../database/registry.js';
import { decodeText } from '../decode-text.js';
import type { Answer } from '../execute/answer.js';
import { read } from '../execute/read.js';
import { isUnavailable, type Leases, withLeases } from '../execute/with-leases.js';
import type { ExportRequest } from '../protocol.js';
import { stageSources } from '../stage-sources.js';

export interface ExportOrder extends ExportRequest {
  readonly catalog: Catalog;
  readonly sources: SourceRegistry;
  readonly answer: Answer;
  readonly cancellation: Cancellation;
}

/** Writes the whole document to the answer, without ending it. Rejects with a `SourceError`. */
export async function writeExport(order: ExportOrder): Promise<void> {
  const { catalog, stage, sources, answer, cancellation } = order;
  const mayRepeat = (error: unknown): boolean => isUnavailable(error) && !answer.hasLeft;
  const leasing = { sources, names: stageSources(catalog, stage), cancellation, mayRepeat };
  const forget = cancellation.onCancel(() => answer.letGo());
  try {
    await withLeases({ ...leasing, mode: SNAPSHOT, isLong: true }, (leases) => {
      answer.restart();
      return writeDocument(order, leases);
    });
  } finally {
    forget();
  }
}

/** A consistent snapshot. */
const SNAPSHOT = { isolation: 'repeatableRead', readOnly: true } as const;
/** How deep the list of rows is nested in the document. */
const LIST_DEPTH = 3;

async function writeDocument(order: ExportOrder, leases: Leases): Promise<void> {
  const { answer, pretty, stage, catalog, view } = order;
  const visible = catalogUnderView(catalog, view);
  const trees = exportTrees(visible, stage, order.withReadOnly);
  // A complete export contains the stored values, so an import of it stores the same again.
  const stored = visible === catalog.unrestricted;
  const laidOut = (text: string): string => (pretty ? text : text.replace(/\s/g, ''));
  const rowsLayout = { pretty, cipher: createCipher(), depth: LIST_DEPTH, isExact: true };
  const mark = stored && isChanged(catalog) ? layout.mark : '';
  let before: string = layout.open + mark + layout.entities;
  for (const tree of trees) {
    answer.write(laidOut(before + layout.entity));
    answer.write(JSON.stringify(tree.name) + laidOut(layout.rows));
    const expression = exportExpression(tree);
    const plan = compileQuery(catalog, {
      expression,
      stage,
      view,
      limits,
      stored,
      keepsDates: true,
    });
    const writer = createByteWriter(plan.root, rowsLayout, decodeText);
    const values = readArguments(plan, undefined);
    await read({ plan, writer, values, answer, rowsMax: 0 }, leases);
    answer.write(laidOut(layout.endOfEntity));
    before = layout.between;
  }
  answer.write(laidOut(trees.length > 0 ? layout.close : layout.none));
}

/** Whether the stored value of some property differs from the value that is written. */
function isChanged({ schema }: Catalog): boolean {
  return schema.domain.entities.some(
    ({ hadWriteExps, hadWriteValues }) => hadWriteExps || hadWriteValues,
  );
}

/** The document around the rows, indented. Compact, it has no spaces. */
const layout = {
  open: '{\n  ',
  mark: '"values": "stored",\n  ',
  entities: '"entities": [\n    ',
  entity: '{\n      "entity": ',
  rows: ',\n      "rows": ',
  endOfEntity: '\n    }',
  between: ',\n    ',
  close: '\n  ]\n}',
  none: '{\n  "entities": []\n}',
} as const;

/** Queries made from the schema file are not limited like those of clients. */
const limits = { expressionLengthMax: 1 << 20, nestingMax: 1000, includeDepthMax: 100 };
