/** The form of the cases that show what is wrong with a schema file. */

/** A file with one fault, and what is said of it. */
export interface BadFile {
  readonly comment: string;
  readonly file: string;
  readonly place?: string;
  readonly detail: string;
  readonly hint?: string;
}

/** A file of one sound entity, with more members beside its properties. */
export function cities(members: string, section = ''): string {
  return `
domain:
  entities:
  - name: Cities
    primaryKey: [id]
    properties:
    - {name: id, type: integer}
    - {name: name}
    - {name: stateId, type: integer}
${members}
${section}`;
}

export const infrastructure = (text: string): string => cities('', `infrastructure:\n${text}`);
