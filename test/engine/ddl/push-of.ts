/** Plans `push` and `drop` for schemas written as YAML. */
import { parse } from 'yaml';
import type { ExistingColumn, ExistingTable } from '../../../src/engine/ddl/existing.js';
import { planDrop } from '../../../src/engine/ddl/plan-drop.js';
import { type DdlRequest, planPush } from '../../../src/engine/ddl/plan-push.js';
import { loadSchema } from '../../../src/engine/load/load.js';
import type { DialectName } from '../../../src/engine/schema/model.js';

/** A request for the entities, enums and tables of the text. */
export function requestOf(
  text: string,
  dialect: DialectName = 'PostgreSQL',
  existing: readonly ExistingTable[] = [],
): DdlRequest {
  const { enums, entities, tables } = parse(text);
  const { domain, mappings } = loadSchema({
    domain: { enums, entities },
    infrastructure: { mappings: [{ name: 'default', entities: tables }] },
  });
  const [mapping] = mappings;
  if (!mapping) throw new Error('The schema has no mapping.');
  return { mapping, enums: domain.enums, dialect, existing };
}

/** The statements of `push`. */
export function pushOf(...parts: Parameters<typeof requestOf>): readonly string[] {
  return planPush(requestOf(...parts)).steps.map(({ sql }) => sql);
}

/** The statements of `drop`. */
export function dropOf(...parts: Parameters<typeof requestOf>): readonly string[] {
  return planDrop(requestOf(...parts)).steps.map(({ sql }) => sql);
}

/** An existing table. */
export function tableOf(name: string, parts: Partial<ExistingTable> = {}): ExistingTable {
  return {
    schema: 'public',
    name,
    isVisible: true,
    kind: 'table',
    columns: [],
    primaryKey: undefined,
    uniqueKeys: [],
    indexes: [],
    foreignKeys: [],
    ...parts,
  };
}

/** An existing column. */
export function columnOf(name: string, declared: string, isNullable = true): ExistingColumn {
  return { name, type: declared.replace(/[ (].*/, ''), declared, isNullable, origin: 'given' };
}
