/** Reads metrics in Prometheus's text format. */

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export type Metrics = ReadonlyMap<string, readonly Sample[]>;

const LINE = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;
const LABEL = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g;

export function readMetrics(text: string): Metrics {
  const metrics = new Map<string, Sample[]>();
  for (const line of text.split('\n')) {
    const [, name, labels = '', value = ''] = LINE.exec(line) ?? [];
    if (name === undefined) continue;
    const sample = { labels: readLabels(labels), value: numberOf(value) };
    const samples = metrics.get(name);
    if (samples) samples.push(sample);
    else metrics.set(name, [sample]);
  }
  return metrics;
}

/** The sum of the matching samples; undefined if the metric is not reported. */
export function sumOf(
  metrics: Metrics,
  name: string,
  fits: (labels: Sample['labels']) => boolean = () => true,
): number | undefined {
  return metrics
    .get(name)
    ?.filter(({ labels }) => fits(labels))
    .reduce((sum, { value }) => sum + value, 0);
}

function readLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(LABEL)) labels[name] = unescaped(value);
  return labels;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, (_escape, character: string) =>
    character === 'n' ? '\n' : character,
  );
}

function numberOf(text: string): number {
  return text === '+Inf' ? Infinity : text === '-Inf' ? -Infinity : Number(text);
}
