import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { Browser, Page } from 'playwright-core';
import { aimLines, aimsCell } from '../aim.ts';
import type { Benchmark, BenchOptions, BenchReport } from '../benchmark.ts';
import { scannedMachines } from '../data/scans/machines.ts';
import { signalsIn, writeZipFiles } from '../data/zip-files.ts';
import { describeMachine } from '../machine.ts';
import type { Progress } from '../progress.ts';
import { type BenchSite, onSite } from '../run/bench-site.ts';
import type { HttpClient } from '../run/http-client.ts';
import { ADMIN, serviceEnv, signedIn, startApps } from '../run/service.ts';
import { ACTIONS, type TableAction } from './actions.ts';

const UPLOADS_AT_ONCE = 2;
const ACTION_MS_MAX = 300;
/** The first search waits until the texts of all findings are indexed for searches. */
const SETTLED_MS_MAX = 120_000;

/** Time in a browser from an action in the console's tables until the rows are shown. */
export const consoleTables: Benchmark = {
  name: 'console',
  summary: 'console tables in Chromium: time from an action until its rows are painted',
  defaults: { findings: 1_000_000, rounds: 5 },
  logs: ['postgres'],
  run: (options, progress) => onSite(options, progress, (site) => measure(site, options, progress)),
};

interface Timing {
  action: string;
  /** Of each round, in ms. */
  ms: number[];
}

async function measure(site: BenchSite, options: BenchOptions, progress: Progress): Promise<BenchReport> {
  const { url, database, drop } = await site.newDatabase('console');
  const [program] = await startApps(site, ['standalone'], serviceEnv(site, url, 'postgres'));
  const address = program!.address;
  const findings = await fill(site, await signedIn(address), options, progress);
  await database.pool.query('vacuum analyze');
  const timings = await onBrowser((browser) => timeActions(browser, address, options.rounds, progress));
  const machine = await describeMachine(site.server.pool);
  await program!.stop();
  await drop();
  return reportOf(findings, timings, machine);
}

/** Uploads the findings and waits until they are folded and scored. Returns their number. */
async function fill(
  site: BenchSite,
  client: HttpClient,
  { findings }: BenchOptions,
  progress: Progress,
): Promise<number> {
  progress.say(`packing ${findings} findings`);
  const zips = await writeZipFiles(scannedMachines(findings, Date.now()), join(site.folder, 'zips'));
  progress.say(`uploading ${zips.length} ZIPs`);
  const limit = pLimit(UPLOADS_AT_ONCE);
  const uploads = await Promise.all(
    zips.map(({ path }) => limit(async () => client.uploadZip(await readFile(path)))),
  );
  for (const id of uploads) await client.untilFolded(id);
  progress.say('waiting until all is scored');
  await client.untilScored(zips.reduce((sum, { machines }) => sum + machines, 0));
  return signalsIn(zips);
}

async function onBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium' });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

async function timeActions(
  browser: Browser,
  address: string,
  rounds: number,
  progress: Progress,
): Promise<Timing[]> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(SETTLED_MS_MAX);
  await page.goto(`${address}/app/findings`);
  await page.getByLabel('User name').fill(ADMIN.username);
  await page.locator('input[name=password]').fill(ADMIN.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' });
  const timings = ACTIONS.map(({ name }) => ({ action: name, ms: [] as number[] }));
  // The first round warms up the caches of the service and the browser, and is not counted.
  for (let round = 0; round <= rounds; round++) {
    progress.say(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    for (const [i, action] of ACTIONS.entries()) {
      const ms = await timeAction(page, address, action);
      if (round > 0) timings[i]!.ms.push(ms);
    }
  }
  return timings;
}

/** Time in ms from the action until its rows are painted, by the clock of the browser. */
async function timeAction(page: Page, address: string, { from, act, table }: TableAction): Promise<number> {
  await page.goto(`${address}/app${from}`);
  const rows = page.getByRole('region', { name: table });
  await rows.locator('tbody tr').first().waitFor();
  // Otherwise the measurement would include the computation of these counts.
  await page.getByText(TOTAL).first().waitFor();
  await page.evaluate(`(${WATCH})(${JSON.stringify(table)})`);
  await act(page);
  return page.evaluate<number>('window.settled');
}

/**
 * Measures from the last press of a key or a button until the table is no longer busy and its rows are painted. While
 * busy, it shows the previous rows.
 */
const WATCH = `(label) => {
  const section = document.querySelector('section[aria-label="' + label + '"]');
  window.settled = new Promise((resolve) => {
    let begun;
    let wasBusy = false;
    for (const kind of ['pointerdown', 'keydown', 'click'])
      addEventListener(kind, () => { if (!wasBusy) begun = performance.now(); }, { capture: true });
    new MutationObserver((_, observer) => {
      const isBusy = section.getAttribute('aria-busy') === 'true';
      if (wasBusy && !isBusy) {
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)));
      }
      wasBusy ||= isBusy;
    }).observe(section, { attributes: true });
  });
}`;

/** The total number of rows, shown above the table. */
const TOTAL = /^[\d,]+ (findings|assets)/;

const sorted = (ms: number[]) => ms.toSorted((a, b) => a - b);
const median = (ms: number[]) => sorted(ms)[Math.floor(ms.length / 2)]!;
const whole = (n: number) => Math.round(n).toLocaleString('en-US');

function reportOf(findings: number, timings: Timing[], machine: BenchReport['machine']): BenchReport {
  const slowest = Math.max(...timings.flatMap(({ ms }) => ms));
  const medians = Math.max(...timings.map(({ ms }) => median(ms)));
  // Single presses are only reported, because browser, service and database share the cores.
  const text = `any table action ≤ ${ACTION_MS_MAX} ms by the median of its presses`;
  const aims = [{ text, isMet: medians <= ACTION_MS_MAX }];
  return {
    name: 'console',
    machine,
    figures: { findings, timings },
    lines: [
      `  findings  ${whole(findings)}`,
      ...timings.map(
        ({ action, ms }) =>
          `  ${action.padEnd(44)} median ${whole(median(ms)).padStart(5)} ms, ${whole(Math.min(...ms))} to ${whole(Math.max(...ms))}`,
      ),
      ...aimLines(aims),
    ],
    cells: {
      findings: whole(findings),
      'slowest median, ms': whole(medians),
      'slowest single press, ms': whole(slowest),
      aims: aimsCell(aims),
    },
  };
}
