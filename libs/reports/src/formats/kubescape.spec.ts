import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runConvert } from '../../../../test/fixtures/convert/run-convert.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-kubescape-'));
});
afterAll(() => rm(dir, { recursive: true }));

const RESOURCE = '/shop/ServiceAccount/robot';

const reportOf = (controls: object[], summary: Record<string, object> = {}, members: object = {}) =>
  JSON.stringify({
    generationTime: '2026-01-01T00:00:00.697021698Z',
    customerGUID: '',
    clusterAPIServerInfo: null,
    clusterName: 'prod',
    results: [{ resourceID: RESOURCE, controls }],
    summaryDetails: { controls: summary },
    ...members,
  });

const signalsOf = async (...given: Parameters<typeof reportOf>) =>
  (await runConvert(dir, { 'a.json': reportOf(...given) })).signals;

describe('Kubescape', () => {
  it('gives each control of a resource its details, which follow the results', async () => {
    const rule = {
      name: 'immutable-container-filesystem',
      status: 'failed',
      paths: [
        { failedPath: 'spec.containers[0]' },
        { fixPath: { path: 'spec.readOnlyRootFilesystem', value: 'true' } },
      ],
    };
    const [signal] = await signalsOf(
      [{ controlID: 'C-0017', name: 'Immutable filesystem', status: { status: 'failed' }, rules: [rule] }],
      {
        'C-0017': {
          scoreFactor: 3,
          description: 'Programs can change files.',
          remediation: 'Mount it read-only.',
          category: { name: 'Workload', subCategory: { name: 'Storage' } },
        },
      },
    );
    expect(signal).toMatchObject({
      name: 'Immutable filesystem (C-0017)',
      source: { name: 'Kubescape' },
      entity: { name: 'prod' },
      description: 'Programs can change files.',
    });
    expect(signal.securityContexts[0]).toMatchObject({
      type: 'ca',
      status: { complianceStatus: 'fail' },
      severity: { value: 3, level: 'low' },
      detectionId: RESOURCE,
      evidence: {
        observationText: `Resource: ${RESOURCE}\n\nFailed rules: immutable-container-filesystem\n\nPaths: spec.containers[0]`,
      },
    });
    expect(JSON.stringify(signal)).toContain(
      'Mount it read-only.\\n\\nSet: spec.readOnlyRootFilesystem = true',
    );
    expect(JSON.stringify(signal)).toContain('https://hub.armosec.io/docs/c-0017');
    expect(JSON.stringify(signal)).toContain('2026-01-01T00:00:00.697Z');
  });

  it('reads states of both versions, and lists what an exception excludes', async () => {
    const of = (name: string, control: object) => ({ controlID: name, name, rules: [], ...control });
    const rules = (...statuses: object[]) => ({ rules: statuses });
    const failed = { name: 'r', status: 'failed' };
    const { signals, out } = await runConvert(
      dir,
      {
        'a.json': reportOf([
          of('new fail', { status: { status: 'failed' } }),
          of('new pass', { status: { status: 'passed' } }),
          of('new skip', { status: { status: 'skipped', subStatus: 'configuration' } }),
          of('new exception', { status: { status: 'passed', subStatus: 'w/exceptions' } }),
          of('old fail', rules({ name: 'p', status: 'passed' }, failed)),
          of('old pass', rules({ name: 'p', status: 'passed' })),
          of('old partly excepted', rules(failed, { ...failed, exception: [{ name: 'e' }] })),
          of('old exception', rules({ ...failed, exception: [{ name: 'e' }] })),
        ]),
      },
      '--json',
    );
    expect(
      Object.fromEntries(
        signals.map(({ name, securityContexts: [{ status }] }) => [
          name.replace(/ \(.*/, ''),
          status.complianceStatus,
        ]),
      ),
    ).toEqual({
      'new fail': 'fail',
      'new pass': 'pass',
      'new skip': 'unknown',
      'old fail': 'fail',
      'old pass': 'pass',
      'old partly excepted': 'fail',
    });
    expect(JSON.parse(out)).toMatchObject({
      listed: 2,
      notMapped: [{ text: 'excluded by an exception', count: 2 }],
    });
  });

  it('takes the stated level, else that of the factor as Kubescape does', async () => {
    const control = (id: string, given: object = {}) => ({
      controlID: id,
      name: id,
      status: { status: 'failed' },
      rules: [],
      ...given,
    });
    const factors = { a: 0.5, b: 1, c: 3.9, d: 4, e: 7, f: 9 };
    const summary = Object.fromEntries(
      Object.entries(factors).map(([id, scoreFactor]) => [id, { scoreFactor }]),
    );
    const controls = [...Object.keys(factors).map((id) => control(id)), control('g', { severity: 'High' })];
    const signals = await signalsOf(controls, summary);
    expect(
      Object.fromEntries(
        signals.map(({ name, securityContexts: [{ severity }] }) => [name[0], severity?.level ?? null]),
      ),
    ).toMatchObject({ b: 'low', c: 'low', d: 'medium', e: 'high', f: 'critical', g: 'high' });
  });

  it('ignores the zero time of Go', async () => {
    const [signal] = await signalsOf(
      [{ controlID: 'x', name: 'x', rules: [] }],
      {},
      {
        generationTime: '0001-01-01T00:00:00Z',
      },
    );
    expect(JSON.stringify(signal)).not.toContain('0001-01-01');
  });
});
