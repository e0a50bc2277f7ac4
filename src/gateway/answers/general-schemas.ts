/** The answers that are neither a description of a query nor of the schema. */
import { arrayOf, flag, integer, object, reference, text } from './json-schema.js';

export const generalSchemas = {
  Ping: object({ message: text, time: text }),
  Health: object({ uptime: { type: 'number' }, message: text, time: text }),
  Version: object({ version: text }),
  Exists: object({ exists: flag }),
  Live: object({ status: text }),
  ImportCount: object({ entity: text, rows: integer }),
  Imported: object({
    imported: arrayOf(reference('ImportCount')),
    ignored: { type: 'object', additionalProperties: integer },
  }),
  Problem: object({
    type: text,
    title: text,
    status: integer,
    detail: text,
    code: text,
    requestId: text,
    position: reference('Position'),
    hint: text,
    place: text,
    sqlstate: text,
    errors: arrayOf(object({ message: text, place: text })),
    step: integer,
  }),
} as const;
