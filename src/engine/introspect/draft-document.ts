/** Turns a draft into the document of a schema file, as `loadSchema` takes it. */
import type { Connection, DialectName } from '../schema/model.js';
import type { SchemaDraft } from './schema-draft.js';

/** The database of a draft. */
export interface DraftSource {
  readonly dialect: DialectName;
  /** A connection, or a text that stands for one in the document. */
  readonly connection: Connection | string;
}

/**
 * The document, with its members in the same order as in the sample. Members with their default
 * value are omitted.
 */
export function draftDocument(draft: SchemaDraft, { dialect, connection }: DraftSource) {
  return {
    domain: {
      version: '1.0.0',
      enums: draft.enums.map(({ name, values }) => ({
        name,
        values: values.map((value) => ({ name: value })),
      })),
      entities: draft.entities.map(({ content }) => content),
    },
    infrastructure: {
      mappings: [
        {
          name: 'default',
          entities: draft.entities.map(({ mapping }) => mapping),
        },
      ],
      sources: [{ name: 'default', dialect, mapping: 'default', connection }],
      stages: [{ name: 'default', sources: [{ name: 'default' }] }],
      views: [{ name: 'default' }],
    },
  };
}
