/**
 * The dashboard and the alert rules in `deploy`: promtool (of Debian's package `prometheus`) reads them,
 * and every metric that they or the documents name is one that the program has.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestOf, makeKey } from '../../src/gateway/access/keys-file.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { findProgram } from '../support/find-program.js';
import { ask, type Program, until } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string) => readFileSync(join(repository, name), 'utf8');

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
  readonly targets: readonly { readonly expr: string }[];
}

const { panels } = JSON.parse(read('deploy/grafana-dashboard.json')) as {
  readonly panels: readonly Panel[];
};
const expressions = panels.flatMap(({ title, targets }) =>
  targets.map(({ expr }) => ({ title, expr })),
);

/** The names of metrics in a text: those of Rowgate, Node.js and its process. */
function namesIn(text: string): readonly string[] {
  const names = text.match(/\b(?:rowgate|nodejs|process)_[a-z0-9_]+\b/g) ?? [];
  return [...new Set(names)].filter((name) => name !== 'rowgate_idempotency').toSorted();
}

describe('the metrics of the program', () => {
  let server: SampleServer;
  let program: Program;
  let known: ReadonlySet<string>;
  let metrics: string;

  beforeAll(async () => {
    server = await startSampleServer();
    const key = makeKey();
    const keys = [{ name: 'all', hash: digestOf(key), allow: ['metrics'] }];
    const file = server.write('keys.json', JSON.stringify({ keys }));
    program = await server.start(['--keys-file', file]);
    await until('it is ready', async () => (await ask(program, '/readyz')).status === 200);
    const headers = { authorization: `Bearer ${key}` };
    await until('the source was asked', async () => {
      metrics = (await ask(program, '/metrics', { headers })).text;
      return metrics.includes('rowgate_source_up{');
    });
    known = new Set(
      [...metrics.matchAll(/^(?:# TYPE )?([a-z_0-9]+)/gm)].map(([, name = '']) => name),
    );
  });
  afterAll(async () => {
    await program.stop();
    await server.stop();
  });

  test.each(['deploy/grafana-dashboard.json', 'deploy/prometheus-alerts.yaml'])(
    'include all metrics that %s uses',
    (name) => {
      const names = namesIn(read(name));
      expect(names.length).toBeGreaterThan(5);
      expect(names.filter((each) => !known.has(each))).toEqual([]);
    },
  );

  test('are those that docs/observability.md lists, and none of Rowgate is missing there', () => {
    const listed = namesIn(read('docs/observability.md'));
    expect(listed.filter((each) => !known.has(each))).toEqual([]);
    const families = [...metrics.matchAll(/^# TYPE (rowgate_\S+)/gm)].map(([, name]) => name);
    expect(families.filter((name) => !listed.some((each) => each === name))).toEqual([]);
  });

  test.runIf(findProgram('promtool'))('have a format that promtool can read', () => {
    const { stderr } = spawnSync('promtool', ['check', 'metrics'], { input: metrics });
    expect(stderr.toString()).not.toContain('error while linting');
  });
});

describe('the dashboard', () => {
  test('has panels that do not overlap', () => {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.length).toBeGreaterThan(10);
  });

  test.runIf(findProgram('promtool'))('has expressions that Prometheus can parse', () => {
    const rules = expressions.map(({ expr }, index) => ({
      record: `dashboard:expression:${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$\w+/g, 'any'),
    }));
    const file = join(makeTemporaryDirectory(), 'dashboard.json');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    const output = execFileSync('promtool', ['check', 'rules', file]).toString();
    expect(output).toContain(`SUCCESS: ${rules.length} rules found`);
  });
});

describe.runIf(findProgram('promtool'))('the alert rules', () => {
  test('are valid, and fire when they should and only then', () => {
    const run = (...words: readonly string[]) =>
      spawnSync('promtool', words, { cwd: join(repository, 'deploy') });
    expect(run('check', 'rules', 'prometheus-alerts.yaml').stdout.toString()).toContain('SUCCESS');
    const tested = run('test', 'rules', 'prometheus-alerts.test.yaml');
    expect(tested.stdout.toString()).toContain('SUCCESS');
    expect(tested.status).toBe(0);
  });

  test('each have a test', () => {
    const names = [...read('deploy/prometheus-alerts.yaml').matchAll(/- alert: (\w+)/g)];
    const tests = read('deploy/prometheus-alerts.test.yaml');
    expect(names.filter(([, name = '']) => !tests.includes(`alertname: ${name}`))).toEqual([]);
  });
});
