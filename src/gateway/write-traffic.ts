/**
 * The counts of requests in Prometheus's text format. prom-client has no counters or histograms whose
 * values are counted elsewhere.
 */
import type { RouteCounts, Traffic } from './statistics/traffic.js';

type Labels = Readonly<Record<string, string>>;

export function writeTraffic({ routes, errors, boundsMs }: Traffic): string {
  const used = routes.filter(({ answered }) => answered > 0);
  return [
    ...head('rowgate_requests_total', 'counter', 'Answered requests by route and status.'),
    ...used.flatMap(requestLines),
    ...head('rowgate_request_duration_seconds', 'histogram', 'How long requests took, by route.'),
    ...used.flatMap((route) => histogramLines(route, boundsMs)),
    ...head('rowgate_errors_total', 'counter', 'Failed requests by the code of their problem.'),
    ...[...errors].map(([code, count]) => line('rowgate_errors_total', { code }, count)),
    '',
  ].join('\n');
}

function requestLines(route: RouteCounts): string[] {
  const lines: string[] = [];
  for (const [status, count] of route.statuses.entries()) {
    const labels = { ...labelsOf(route), status: String(status) };
    if (count > 0) lines.push(line('rowgate_requests_total', labels, count));
  }
  return lines;
}

function histogramLines(route: RouteCounts, boundsMs: readonly number[]): string[] {
  const name = 'rowgate_request_duration_seconds';
  const labels = labelsOf(route);
  let sum = 0;
  const buckets = [...route.buckets].map((count, at) => {
    sum += count;
    const bound = boundsMs[at];
    const le = bound === undefined ? '+Inf' : String(bound / 1000);
    return line(`${name}_bucket`, { ...labels, le }, sum);
  });
  return [
    ...buckets,
    line(`${name}_sum`, labels, route.totalMs / 1000),
    line(`${name}_count`, labels, sum),
  ];
}

/** Requests that no route matches share a label, so that clients cannot create any number of them. */
function labelsOf({ method, path }: RouteCounts): Labels {
  return { method: method === '' ? 'any' : method, route: path === '' ? 'none' : path };
}

function head(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function line(name: string, labels: Labels, value: number): string {
  const texts = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}{${texts.join(',')}} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
