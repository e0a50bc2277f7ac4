/** The form of the test cases with invalid schema files. */

/** A file with one error, and the expected message. */
export interface BadFile {
  readonly comment: string;
  readonly file: string;
  readonly place?: string;
  readonly detail: string;
  readonly hint?: string;
}

/** A file with one valid entity; `members` is added to the entity. */
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
