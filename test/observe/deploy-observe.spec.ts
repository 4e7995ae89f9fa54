import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { commandMetrics, describedMetrics, metricsOf, queryable } from './metrics-page.ts';
import { describePromtool, promtool } from './promtool.ts';

const FETCH_MS_MAX = 240_000;

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; action: string };
}
interface Case {
  alert_rule_test: { alertname: string; exp_alerts: unknown[] }[];
}
interface Panel {
  id: number;
  title: string;
  targets?: { expr: string }[];
}

const rulesOf = (file: string): Rule[] =>
  parse(read(`deploy/observe/${file}`)).groups.flatMap((group: { rules: Rule[] }) => group.rules);
const RULE_FILES = ['alerts.yml', 'alerts-commands.yml'];
const rules = RULE_FILES.flatMap(rulesOf);
const cases: Case[] = parse(read('deploy/observe/alerts.test.yml')).tests;
const panels: Panel[] = JSON.parse(read('deploy/observe/dashboard.json')).panels;
const queries = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, expr] as const),
);
const page = read('docs/observing.md');

/** Runs a task with a temporary file. */
async function withFile<T>(content: object, work: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'posture-observe-'));
  const file = join(folder, 'file.yml');
  try {
    await writeFile(file, stringify(content));
    return await work(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const unknownIn = (query: string) => metricsOf(query).filter((name) => !queryable().has(name));

describe('names in queries', () => {
  it('are distinguished from labels, functions and texts', () => {
    const query =
      'sum by (le, route) (rate(a_bucket{job="b c", x=~"d"}[5m])) > 4 * on () max(e) or absent(f)';
    expect(metricsOf(query)).toEqual(['a_bucket', 'e', 'f']);
    expect(unknownIn('max(posture_no_such_metric)')).toEqual(['posture_no_such_metric']);
  });
});

describe('the rules of deploy/observe', () => {
  it.each(rules.map((rule) => [rule.alert, rule] as const))('%s names metrics that there are', (_, rule) => {
    expect(unknownIn(rule.expr)).toEqual([]);
    expect(['critical', 'warning']).toContain(rule.labels.severity);
    expect(rule.annotations).toEqual({ summary: expect.any(String), action: expect.any(String) });
  });

  it.each(['prometheus.yml', 'prometheus-compose.yml', 'prometheus-kubernetes.yml'])(
    '%s loads those whose metrics it scrapes',
    (file) => {
      const config = parse(read(`deploy/observe/${file}`));
      const jobs = config.scrape_configs.map(({ job_name }: { job_name: string }) => job_name);
      const scraped = config.rule_files
        .flatMap(rulesOf)
        .flatMap(({ expr }: Rule) => metricsOf(expr))
        .map((name: string) => (commandMetrics().includes(name) ? 'node' : 'posture'));
      expect(jobs).toEqual(expect.arrayContaining([...new Set(scraped)]));
      expect(config.rule_files).toEqual(jobs.includes('node') ? RULE_FILES : ['alerts.yml']);
    },
  );

  it('has a case for every rule that raises it', () => {
    const raised = cases.flatMap((one) =>
      one.alert_rule_test.filter((test) => test.exp_alerts.length > 0).map(({ alertname }) => alertname),
    );
    expect([...new Set(raised)].sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });

  it('has the alerts that docs/observing.md names, and no other', () => {
    const named = [...page.matchAll(/`(Posture[A-Z]\w+)`/g)].map(([, name]) => name!);
    expect([...new Set(named)].sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });
});

describe('deploy/observe/prometheus-compose.yml', () => {
  it('scrapes every program of docker-compose.yml', () => {
    const { services } = parse(read('docker-compose.yml'), { merge: true });
    const programs = Object.keys(services).filter((name) =>
      /^dist\/programs\//.test(services[name].command?.[0]),
    );
    const { scrape_configs } = parse(read('deploy/observe/prometheus-compose.yml'));
    expect(scrape_configs[0].static_configs[0].targets).toEqual(programs.map((name) => `${name}:8080`));
  });
});

describe('deploy/observe/prometheus-kubernetes.yml', () => {
  it('scrapes no pod that has ended: another pod can have its address', () => {
    const { scrape_configs } = parse(read('deploy/observe/prometheus-kubernetes.yml'));
    expect(scrape_configs[0].relabel_configs).toContainEqual({
      source_labels: ['__meta_kubernetes_pod_phase'],
      regex: 'Failed|Succeeded',
      action: 'drop',
    });
  });
});

describe('deploy/observe/dashboard.json', () => {
  it.each(queries)('%s: %s names metrics that there are', (_, expr) => {
    expect(metricsOf(expr)).not.toEqual([]);
    expect(unknownIn(expr)).toEqual([]);
  });

  it('shows every metric of the service itself, each panel with a different id', () => {
    const shown = new Set(
      queries.flatMap(([, expr]) => metricsOf(expr).map((name) => name.replace(/_(bucket|sum|count)$/, ''))),
    );
    const own = describedMetrics().filter(({ name }) => name.startsWith('posture_'));
    expect(own.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual(['posture_program_info']);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });
});

describe('deploy/observe/otel-collector.yml', () => {
  it('connects all parts that it defines, and accepts the data of the programs', () => {
    const { service, ...parts } = parse(read('deploy/observe/otel-collector.yml'));
    for (const kind of ['receivers', 'processors', 'exporters']) {
      expect([...service.pipelines.traces[kind]].sort()).toEqual(Object.keys(parts[kind]).sort());
    }
    expect(parts.receivers.otlp.protocols.http.endpoint).toMatch(/:4318$/);
    expect(page).toContain('OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318');
  });
});

describePromtool('promtool', () => {
  it(
    'checks the scrape configuration with its rules, and tries every rule',
    async () => {
      const checked = await promtool('check', 'config', 'prometheus.yml');
      expect(await promtool('check', 'config', 'prometheus-compose.yml')).toContain('SUCCESS');
      for (const file of RULE_FILES) expect(checked).toContain(`${rulesOf(file).length} rules found`);
      expect(await promtool('test', 'rules', 'alerts.test.yml')).toMatch(/SUCCESS/);
    },
    FETCH_MS_MAX,
  );

  it(
    'checks the configuration for a cluster, but for the looking for pods, which Debian’s is built without',
    async () => {
      const { rule_files: _, ...config } = parse(read('deploy/observe/prometheus-kubernetes.yml'));
      // promtool also requires the file of the token, which does not exist here.
      const [{ kubernetes_sd_configs: pods, authorization, ...job }] = config.scrape_configs;
      const { namespace } = parse(read('deploy/kubernetes/base/kustomization.yaml'));
      expect(pods).toEqual([{ role: 'pod', namespaces: { names: [namespace] } }]);
      expect(authorization).toEqual({ credentials_file: '/etc/prometheus/posture-metrics-token' });
      const bare = { ...config, scrape_configs: [{ ...job, static_configs: [{ targets: ['a:8080'] }] }] };
      expect(await withFile(bare, (file) => promtool('check', 'config', file))).toContain('SUCCESS');
      const [label, port] = job.relabel_configs[0].regex.split(';');
      expect(read('deploy/kubernetes/base/programs/gateway.yaml')).toContain(
        `app.kubernetes.io/name: ${label}`,
      );
      expect(read('deploy/kubernetes/base/programs/program.yaml')).toContain(`- name: ${port}\n`);
    },
    FETCH_MS_MAX,
  );

  it(
    'takes the queries of the dashboard',
    async () => {
      const recorded = queries.map(([, expr], i) => ({
        record: `panel:${i}`,
        expr: expr.replaceAll('$__rate_interval', '1m').replaceAll('$job', '.+'),
      }));
      const checked = withFile({ groups: [{ name: 'all', rules: recorded }] }, (file) =>
        promtool('check', 'rules', file),
      );
      expect(await checked).toContain(`${queries.length} rules found`);
    },
    FETCH_MS_MAX,
  );
});
