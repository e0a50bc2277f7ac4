/** The texts of parameters: what is sent for a value, or for a list of them. */

/** The canonical text of a value, null, or those of a list. */
export type ParameterText = string | null | readonly (string | null)[];

/** Whether the text of an argument is a list of them. */
export function isItems(text: ParameterText): text is readonly (string | null)[] {
  return typeof text === 'object' && text !== null;
}
