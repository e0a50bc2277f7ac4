/** Formats a table: the first columns are left-aligned, numbers right-aligned. */

const NUMBER = /^[\d,.–]+$/;

/** The title, the head and the lines, in columns that are as wide as necessary. */
export function table(
  title: string,
  head: readonly string[],
  lines: readonly (readonly string[])[],
): string {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...lines.map((line) => line[column]?.length ?? 0)),
  );
  const isNumeric = head.map((_, column) => lines.every((line) => NUMBER.test(line[column] ?? '')));
  const format = (line: readonly string[]) =>
    line
      .map((text, column) => {
        const width = widths[column] ?? 0;
        return isNumeric[column] ? text.padStart(width) : text.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return [title, format(head), rule, ...lines.map(format)].join('\n');
}
