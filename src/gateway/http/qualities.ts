/** Reads headers that list what a client takes, each with a quality (RFC 9110, 12.4.2). */

/** What a client takes, in lower case and without parameters, and how much it likes it: 0, not. */
export interface Preference {
  readonly name: string;
  readonly quality: number;
}

/** The members of a list; a quality that is none counts as 1. */
export function readPreferences(header: string): readonly Preference[] {
  return splitOutsideQuotes(header, ',').flatMap((member) => {
    const [name = '', ...parameters] = splitOutsideQuotes(member, ';').map((part) => part.trim());
    return name === '' ? [] : [{ name: name.toLowerCase(), quality: qualityOf(parameters) }];
  });
}

/** Of names that are liked as much as each other, the first; undefined where none reaches `least`, or all are 0. */
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

/** A value of a parameter may stand between quotes, and hold anything there. */
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
