/** Reads the header `Server-Timing`: `plan;dur=0.1, database;dur=1.2;desc="…"`. */

export interface TimingPart {
  readonly name: string;
  readonly ms: number;
  readonly description?: string;
}

/** The parts that have a duration. */
export function readTiming(header: string | null): readonly TimingPart[] {
  return (header ?? '').split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).flatMap((entry) => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const valueOf = (wanted: string) =>
      parameters
        .find((each) => each.toLowerCase().startsWith(`${wanted}=`))
        ?.slice(wanted.length + 1)
        .replace(/^"(.*)"$/, '$1');
    const ms = Number(valueOf('dur') ?? Number.NaN);
    const description = valueOf('desc');
    if (name === '' || Number.isNaN(ms)) return [];
    return [{ name, ms, ...(description !== undefined && { description }) }];
  });
}
