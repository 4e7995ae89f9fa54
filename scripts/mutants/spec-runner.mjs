import { createRequire, register } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  DryRunStatus,
  determineHitLimitReached,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import fc from 'fast-check';
import * as circus from 'jest-circus';
import { setGlobals } from '../../test/support/native/globals.mjs';

register('./reload-hooks.mjs', import.meta.url);

const ofJest = createRequire(createRequire(import.meta.url).resolve('jest-circus'));
const { jestExpect: expect } = ofJest('@jest/expect');
const { SnapshotState } = ofJest('jest-snapshot');
/** As Jest's defaults; snapshots in spec files are compared, never written. */
const SNAPSHOTS = {
  updateSnapshot: 'none',
  snapshotFormat: { escapeString: false, printBasicPrototype: false },
};
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const { describe, it, test, beforeAll, beforeEach, afterAll, afterEach } = circus;

/**
 * A test runner for Stryker. It loads the spec files into its process once, and then runs for each mutant only the tests
 * that reach it. Stryker's own runner for Jest loads all modules again for each mutant, with Jest's module loader, and
 * does not support the environment of test/support/native.
 */
export class SpecRunner {
  static inject = ['options'];
  #specs;
  #files = new Map();
  #generation = 0;
  #loads = 0;
  #hasTraces = false;
  #remembered;
  #stryker;

  constructor({ mutants: { specs, seed, remembered } }) {
    this.#specs = specs;
    this.#remembered = remembered;
    // No shrinking: that a property fails is enough, its smallest counterexample is not shown.
    fc.configureGlobal({ seed, endOnFailure: true });
    globalThis.__stryker__ ??= {};
    this.#stryker = globalThis.__stryker__;
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    globalThis[TIMEOUT] = 60_000;
    setGlobals({ describe, it, test, beforeAll, beforeEach, afterAll, afterEach, expect });
    circus.addEventHandler((event) => this.#follow(event));
    const fail = (error) => circus.getState().currentlyRunningTest?.errors.push(error);
    process.on('uncaughtException', fail);
    process.on('unhandledRejection', fail);
  }

  async dryRun({ files = [] }) {
    // First, so that code which runs while a module loads is not attributed to the spec file that imports it.
    this.#generation += 1;
    for (const file of files) await import(urlOf(file, this.#generation));
    const tests = await this.#run({ bails: false });
    return { status: DryRunStatus.Complete, tests, mutantCoverage: this.#stryker.mutantCoverage };
  }

  async mutantRun({ activeMutant, mutantActivation, testFilter, hitLimit, sandboxFileName }) {
    const { id } = activeMutant;
    Object.assign(this.#stryker, { hitLimit, hitCount: hitLimit === undefined ? undefined : 0 });
    const isStatic = mutantActivation === 'static';
    const leavesTraces = isStatic || this.#remembered.some((name) => sandboxFileName.endsWith(name));
    if (leavesTraces || this.#hasTraces) this.#forget();
    this.#hasTraces = leavesTraces;
    try {
      // Before the mutant is active: otherwise modules would keep values that were computed with it.
      if (!isStatic) await this.#loadAll(testFilter);
      this.#stryker.activeMutant = id;
      const tests = await this.#run({ bails: true, wanted: testFilter, near: dirname(sandboxFileName) });
      const looped = determineHitLimitReached(this.#stryker.hitCount, this.#stryker.hitLimit);
      return toMutantRunResult(looped ?? { status: DryRunStatus.Complete, tests });
    } finally {
      this.#stryker.activeMutant = undefined;
    }
  }

  /** Spec files and modules are loaded again when they are next needed. */
  #forget() {
    this.#generation += 1;
    this.#files.clear();
  }

  async #loadAll(wanted) {
    for (const spec of specsOf(wanted)) await this.#fileOf(spec);
  }

  async #fileOf(spec) {
    const known = this.#files.get(spec) ?? (await this.#loadSpec(spec));
    this.#files.set(spec, known);
    return known;
  }

  /** Reports the loading of a spec file as a separate test, so that Stryker knows which mutants it reaches. */
  async #loadSpec(spec) {
    circus.resetState();
    this.#stryker.currentTestId = loadingOf(spec);
    this.#loads += 1;
    let error;
    try {
      await import(`${urlOf(spec, this.#generation)}&again=${this.#loads}`);
    } catch (thrown) {
      error = String(thrown);
    }
    this.#stryker.currentTestId = undefined;
    const state = circus.getState();
    const tests = [...testsOf(state.rootDescribeBlock)];
    return { spec, error, state, tests: tests.map((one) => ({ one, mode: one.mode, id: idOf(spec, one) })) };
  }

  /** @param near the folder whose spec files run first, as one of them is likely to fail; properties run last */
  async #run({ bails, wanted, near }) {
    const results = [];
    const isLast = (spec) => spec.includes('.properties.');
    const distance = (spec) => (near ? relative(near, spec).split('..').length : 0);
    const specs = wanted ? specsOf(wanted) : this.#specs;
    for (const spec of specs.toSorted((a, b) => isLast(a) - isLast(b) || distance(a) - distance(b))) {
      const isReloaded = wanted?.includes(loadingOf(spec));
      const file = isReloaded ? await this.#loadSpec(spec) : await this.#fileOf(spec);
      results.push(...(await this.#runFile(file, bails, isReloaded ? undefined : wanted)));
      if (bails && results.some(({ status }) => status === TestStatus.Failed)) break;
    }
    return results;
  }

  async #runFile({ spec, error, state, tests }, bails, wanted) {
    const loading = loadingOf(spec);
    if (error) return [{ ...named(loading), status: TestStatus.Failed, failureMessage: error }];
    for (const { one, mode, id } of tests)
      Object.assign(one, {
        id,
        errors: [],
        status: null,
        mode: wanted && !wanted.includes(id) ? 'skip' : mode,
      });
    circus.setState(Object.assign(state, { bails, unhandledErrors: [] }));
    const path = resolve(spec);
    const snapshotState = new SnapshotState(`${path}.snap`, { ...SNAPSHOTS, rootDir: process.cwd() });
    expect.setState({ testPath: path, snapshotState });
    await circus.run();
    const [unhandled] = state.unhandledErrors;
    const chosen = tests.filter(({ id }) => !wanted || wanted.includes(id));
    return [
      { ...named(loading), status: TestStatus.Success },
      ...chosen.map(({ one, id }) => resultOf(one, id, unhandled)),
    ];
  }

  #follow({ name, test: one }) {
    if (name === 'test_start') this.#stryker.currentTestId = one.id;
    if (name !== 'test_done') return;
    this.#stryker.currentTestId = undefined;
    const { bails, rootDescribeBlock } = circus.getState();
    if (bails && one.errors.length > 0)
      for (const other of testsOf(rootDescribeBlock)) if (other.status === null) other.mode = 'skip';
  }
}

const loadingOf = (spec) => `${spec} › (loading)`;

/** Of tests, by their ids. */
const specsOf = (ids) => [...new Set(ids.map((id) => id.split(' › ')[0]))];

function* testsOf(block) {
  for (const child of block.children) {
    if (child.type === 'test') yield child;
    else yield* testsOf(child);
  }
}

function idOf(spec, one) {
  const names = [];
  for (let at = one; at.parent; at = at.parent) names.unshift(at.name);
  const same = one.parent.children.filter(({ type, name }) => type === 'test' && name === one.name);
  const twin = same.indexOf(one);
  return [spec, ...names].join(' › ') + (twin > 0 ? ` (${twin + 1})` : '');
}

function resultOf(one, id, unhandled) {
  const base = named(id, one.duration ?? 0);
  const [error] = one.errors.length > 0 ? one.errors.flat() : [unhandled].flat();
  if (error) return { ...base, status: TestStatus.Failed, failureMessage: String(error?.message ?? error) };
  return { ...base, status: one.status === 'done' ? TestStatus.Success : TestStatus.Skipped };
}

const named = (id, timeSpentMs = 0) => ({ id, name: id, timeSpentMs });

const urlOf = (path, generation) => `${pathToFileURL(resolve(path)).href}?generation=${generation}`;
