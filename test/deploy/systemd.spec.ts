import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '#libs/config';
import { STOP_MS_MAX } from '../../apps/gateway/src/http/http-limits.ts';
import { type DebianPackage, installPackages, whyNoPackages } from '../support/debian-packages.ts';
import { CONTEXT } from './build-context.ts';

const SYSTEMD: DebianPackage[] = [{ name: 'systemd', probe: ['systemd-analyze', '--version'] }];
const INSTALL_MS_MAX = 200_000;
/** Of 100, where 0 is safest, as `systemd-analyze security` counts; a plain service has 96. */
const EXPOSURE_MAX = 15;

const FOLDER = join(CONTEXT, 'deploy/systemd');
const unit = readFileSync(join(FOLDER, 'posture.service'), 'utf8');
const verifyUnit = readFileSync(join(FOLDER, 'posture-verify.service'), 'utf8');
const verifyTimer = readFileSync(join(FOLDER, 'posture-verify.timer'), 'utf8');
const settingsFile = readFileSync(join(FOLDER, 'posture.env'), 'utf8');

/** The values of a directive, in their order. */
const valuesOf = (name: string, text = unit): string[] =>
  [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!);
const assignmentsIn = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]));

describe('posture.service', () => {
  const environment = assignmentsIn(valuesOf('Environment').join(' ').replaceAll(' ', '\n'));

  it('starts what npm start starts', () => {
    const { scripts } = JSON.parse(readFileSync(join(CONTEXT, 'package.json'), 'utf8'));
    expect(valuesOf('ExecStart')).toEqual([`/usr/bin/${scripts.start}`]);
    const [program] = /dist\S+/.exec(scripts.start)!;
    expect(existsSync(join(CONTEXT, program))).toBe(true);
  });

  it('runs as a user that systemd-sysusers makes', () => {
    const users = readFileSync(join(FOLDER, 'posture.sysusers'), 'utf8');
    const [, name] = /^u (\S+) - /m.exec(users)!;
    expect([valuesOf('User'), valuesOf('Group')]).toEqual([[name], [name]]);
  });

  it('writes log lines to the journal, and no password', () => {
    expect(valuesOf('StandardOutput')).toEqual(['null']);
    expect(valuesOf('StandardError')).toEqual(['journal']);
  });

  it('keeps its data in the one folder that it can write to', () => {
    expect(environment.DATA_DIR).toBe(`/var/lib/${valuesOf('StateDirectory')[0]}`);
    expect(valuesOf('ProtectSystem')).toEqual(['strict']);
    expect(valuesOf('ReadWritePaths')).toEqual([]);
    expect(valuesOf('StateDirectoryMode')).toEqual(['0700']);
  });

  it('is configured by variables that it knows, to values that it takes', () => {
    const settings = assignmentsIn(settingsFile);
    expect(() => readConfig({ ...environment, ...settings })).not.toThrow();
    const { NODE_ENV: _ofNode, ...own } = environment;
    for (const name of [...Object.keys(own), ...Object.keys(settings)]) {
      expect(() => readConfig({ [name]: '\0' })).toThrow(`${name} must be`);
    }
    expect(valuesOf('EnvironmentFile')).toEqual(['-/etc/posture/posture.env']);
  });

  it('is stopped by a signal only to itself, which stops its PostgreSQL', () => {
    expect(valuesOf('KillMode')).toEqual(['mixed']);
    expect(valuesOf('KillSignal')).toEqual([]);
    expect(Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThanOrEqual(60);
    expect(Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThan(STOP_MS_MAX / 1_000);
    expect(valuesOf('Restart')).toEqual(['on-failure']);
  });
});

describe('docs/deploying.md, "systemd"', () => {
  const page = readFileSync(join(CONTEXT, 'docs/deploying.md'), 'utf8');
  const [, section] = /^## systemd$([\s\S]*?)^## /m.exec(page)!;

  it('runs the command line as the user of the service', () => {
    const calls = section!.match(/^.*\bposture(\.js)? (verify|archive|restore|checkpoint)\b.*$/gm)!;
    const commands = calls.filter((line) => line.includes('DATA_DIR='));
    expect(commands.length).toBeGreaterThan(1);
    for (const line of commands)
      expect(line).toMatch(/sudo -u posture env DATA_DIR=\/var\/lib\/posture node /);
  });

  it('makes the place of ERASURE_LIST writable', () => {
    expect(section).toMatch(/`ERASURE_LIST`.*`ReadWritePaths=/);
  });
});

describe('posture-verify.service', () => {
  const [command] = valuesOf('ExecStart', verifyUnit);
  const [, script, file] = /^\/usr\/bin\/node \S+ (\S+) verify --metrics-file (\S+)$/.exec(command!)!;

  it('writes the metrics of docs/observing.md for node_exporter', () => {
    expect(existsSync(join(CONTEXT, script!))).toBe(true);
    expect(valuesOf('ReadWritePaths', verifyUnit)).toEqual([`-${dirname(file!)}`]);
    expect(valuesOf('UMask', verifyUnit)).toEqual(['0022']);
    expect(readFileSync(join(CONTEXT, 'docs/observing.md'), 'utf8')).toContain(dirname(file!));
  });

  it('finds the running service: by its folder, its settings and its process', () => {
    for (const name of [
      'WorkingDirectory',
      'Environment',
      'EnvironmentFile',
      'User',
      'Group',
      'StateDirectory',
    ]) {
      expect([name, valuesOf(name, verifyUnit)]).toEqual([name, valuesOf(name)]);
    }
    expect(valuesOf('ProtectProc', verifyUnit)).toEqual(['default']);
    expect(valuesOf('RemoveIPC', verifyUnit)).toEqual(['no']);
  });
});

const whyNot = whyNoPackages(SYSTEMD);
const describeSystemd = whyNot === undefined ? describe : describe.skip;

describeSystemd(`posture.service, by systemd-analyze${whyNot ? ` (skipped: ${whyNot})` : ''}`, () => {
  let folder: string;

  beforeAll(async () => {
    await installPackages(SYSTEMD);
    folder = await mkdtemp(join(tmpdir(), 'posture-unit-'));
  }, INSTALL_MS_MAX);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** @param text of a unit, whose program is Node wherever it is here */
  async function put(text: string, name = 'posture.service'): Promise<string> {
    const file = join(folder, name);
    await writeFile(file, text.replace('/usr/bin/node', process.execPath));
    return file;
  }

  async function analyze(
    text: string,
    ...args: string[]
  ): Promise<{ status: number | null; output: string }> {
    return run(...args, await put(text));
  }

  function run(...args: string[]): { status: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    return { status, output: stdout + stderr };
  }

  it('is a unit', async () => {
    expect(await analyze(unit, '--man=no', 'verify')).toEqual({ status: 0, output: '' });
    const misspelt = await analyze(unit.replace('ProtectHome=', 'ProtectHomes='), '--man=no', 'verify');
    expect(misspelt.output).toContain('ProtectHomes');
  });

  it('has a timer for the unit of its name', async () => {
    await put(unit);
    await put(verifyUnit, 'posture-verify.service');
    const timer = await put(verifyTimer, 'posture-verify.timer');
    expect(run('--man=no', 'verify', timer)).toEqual({ status: 0, output: '' });
    const misspelt = await put(verifyTimer.replace('OnCalendar=', 'OnCalendar=on '), 'posture-verify.timer');
    expect(run('--man=no', 'verify', misspelt).output).toContain('calendar specification');
  });

  it.each([
    ['the service', unit],
    ['the verify', verifyUnit],
  ])('is exposed to little: %s', async (_, text) => {
    const security = ['--no-pager', '--offline=true', `--threshold=${EXPOSURE_MAX}`, 'security'];
    expect((await analyze(text, ...security)).status).toBe(0);
    expect((await analyze(text.replace('CapabilityBoundingSet=', '#'), ...security)).status).not.toBe(0);
  });
});
