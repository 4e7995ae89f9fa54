import { describe, expect, it } from '@jest/globals';
import { isInContext } from './build-context.ts';
import { type Instruction, lastOf, lineageOf, readDockerfile, type Stage } from './dockerfile.ts';
import { PINNED_IMAGE } from './pinned-image.ts';

const stages = readDockerfile();
const image = stages.at(-1)!;

const copies = (stage: Stage): Instruction[] =>
  stage.instructions.filter(({ keyword }) => keyword === 'COPY');

describe('Dockerfile', () => {
  it('builds in stages, each from an earlier one or from an image of a digest', () => {
    expect(stages.length).toBeGreaterThan(2);
    for (const [i, { base }] of stages.entries()) {
      const isEarlier = stages.slice(0, i).some(({ name }) => name === base);
      if (!isEarlier) expect(base).toMatch(PINNED_IMAGE);
    }
  });

  it('copies only existing files: from earlier stages, and from the build context', () => {
    for (const [i, stage] of stages.entries()) {
      for (const { flags, args } of copies(stage)) {
        if (flags.from) expect(stages.slice(0, i).map(({ name }) => name)).toContain(flags.from);
        else expect(args.slice(0, -1).filter((source) => !isInContext(source))).toEqual([]);
      }
    }
  });

  it('takes nothing but the built and the read into the image: no sources, no tools', () => {
    const taken = copies(image).flatMap(({ args }) => args.slice(0, -1));
    expect(taken.sort()).toEqual([
      '/app/dist',
      '/app/node_modules',
      'LICENSE',
      'NOTICE',
      'apps/cli/posture.js',
      'deploy/postgres/roles.sql',
      'libs/catalogue/data',
      'libs/reports/maps',
      'migrations',
      'package.json',
      'schemas',
    ]);
  });

  it('runs as a user that is not root, by number', () => {
    const [uid, gid] = lastOf(image, 'USER')!.args[0]!.split(':');
    expect(Number(uid)).toBeGreaterThan(0);
    expect(Number(gid)).toBeGreaterThan(0);
    expect(image.instructions.findLastIndex(({ keyword }) => ['RUN', 'COPY'].includes(keyword))).toBeLessThan(
      image.instructions.findIndex(({ keyword }) => keyword === 'USER'),
    );
  });

  it('needs no shell at run time', () => {
    for (const keyword of ['ENTRYPOINT', 'CMD', 'HEALTHCHECK']) {
      expect(lastOf(image, keyword)).toMatchObject({ isExecForm: true });
    }
  });

  it('installs what package-lock.json says, and runs no script of a dependency as root', () => {
    const installs = stages
      .flatMap((stage) => lineageOf(stages, stage))
      .flatMap(({ instructions }) => instructions)
      .filter(({ keyword, text }) => keyword === 'RUN' && text.includes('npm '));
    expect(installs.length).toBeGreaterThan(0);
    for (const { text } of installs) expect(text).toMatch(/^npm ci .*--ignore-scripts/);
  });
});

describe('.dockerignore', () => {
  it('excludes data, keys, history and local builds from the build context', () => {
    const kept = ['.data', '.git', '.env', 'node_modules', 'dist', 'test'].filter(isInContext);
    expect(kept).toEqual([]);
    expect(isInContext('apps/gateway/src/main.ts')).toBe(true);
    expect(isInContext('libs/config/src/read-config.spec.ts')).toBe(false);
  });
});
