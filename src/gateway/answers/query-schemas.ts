/** The answers of the query endpoints, in the member order of the interface document. */
import { arrayOf, integer, object, reference, scalar, text } from './json-schema.js';

const namedType = object({ name: text, type: text });
const constraint = object({ message: text, condition: text });

export const querySchemas = {
  Position: object({ ln: integer, col: integer }),
  NamedType: namedType,
  Constraint: constraint,
  Sentence: object({
    classtype: text,
    pos: reference('Position'),
    name: text,
    children: arrayOf(reference('Sentence')),
    type: text,
    entity: text,
    columns: arrayOf(reference('NamedType')),
    parameters: arrayOf(reference('NamedType')),
    constraints: arrayOf(reference('Constraint')),
    values: arrayOf(scalar),
    defaults: arrayOf(scalar),
    clause: text,
    alias: text,
  }),
  Field: object({ name: text, type: text, children: arrayOf(reference('Field')) }),
  Fields: arrayOf(reference('Field')),
  ConstraintTree: object({
    entity: text,
    constraints: arrayOf(reference('Constraint')),
    children: arrayOf(reference('ConstraintTree')),
  }),
  Plan: object({
    entity: text,
    dialect: text,
    source: text,
    sentence: text,
    children: arrayOf(reference('Plan')),
  }),
} as const;
