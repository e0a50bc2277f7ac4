/** Reads headers that list what a client accepts, each with a quality (RFC 9110, 12.4.2). */

/** In lower case and without parameters. A quality of 0: the client does not accept it. */
export interface Preference {
  readonly name: string;
  readonly quality: number;
}

/** The members of a list. The quality is 1 if there is no valid one. */
export function readPreferences(header: string): readonly Preference[] {
  return splitOutsideQuotes(header, ',').flatMap((member) => {
    const [name = '', ...parameters] = splitOutsideQuotes(member, ';').map((part) => part.trim());
    return name === '' ? [] : [{ name: name.toLowerCase(), quality: qualityOf(parameters) }];
  });
}

/** The first name with the highest quality; undefined if that quality is 0 or less than `least`. */
export function bestOf<Name extends string>(
  names: readonly Name[],
  qualityOf: (name: Name) => number,
  least = 0,
): Name | undefined {
  const best = Math.max(...names.map(qualityOf));
  return best > 0 && best >= least ? names.find((name) => qualityOf(name) === best) : undefined;
}

function qualityOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const digits = /^q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i.exec(parameter)?.[1];
    if (digits !== undefined) return Number(digits);
  }
  return 1;
}

/** The value of a parameter may be quoted, and then contain the separator. */
function splitOutsideQuotes(text: string, separator: string): readonly string[] {
  if (!text.includes('"')) return text.split(separator);
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i];
    if (character === '\\' && isQuoted) i += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return [...parts, text.slice(start)];
}
