/** Makes characters visible that could change a terminal, end a line, or reverse the order of a text. */

/** Control characters, separators of lines, and those that set the direction of the text. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The text with these characters as escape sequences of JSON. */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, (each) => {
    // JSON has short escapes for some of them, and none for those after U+007E.
    const escaped = JSON.stringify(each).slice(1, -1);
    return escaped === each ? `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}` : escaped;
  });
}
