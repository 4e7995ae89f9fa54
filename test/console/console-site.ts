import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import type axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { components } from '../../client/src/schema.ts';
import type { ApiClient } from '../support/api-client.ts';
import { databaseLike, type TestDatabase } from '../support/database.ts';
import { installPackages } from '../support/debian-packages.ts';
import { isInRun } from '../support/part-of-run.ts';
import { StandaloneHere } from '../support/standalone-here.ts';
import { ADMIN, FEW_PARTITIONS, temporaryDataDir } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { expectVerified, posture } from '../support/verify.ts';
import { CHROMIUM } from './describe-console.ts';

const run = promisify(execFile);

/** Folder of screenshots. With CONSOLE_PICTURES=docs, the pictures of docs/console.md are updated in place. */
const PICTURES = 'coverage/console';
const SHOWN_PICTURES = 'docs/console';
const VIEWPORTS = {
  screen: { width: 1280, height: 900 },
  wide: { width: 1440, height: 900 },
  tablet: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
};
/** As the browser that takes over the session. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
/** Timeout of a condition on a page; a loaded machine is slow. */
const WAIT_MS_MAX = 45_000;
/** Style sheets loaded again and selectors of elements are most of the rest of its work, and no rule that runs needs them. */
const AXE_OPTIONS = JSON.stringify({ resultTypes: ['violations'], preload: false, selectors: false });
/** Of axe; the text that it exports is twice as long. */
const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SERIOUS: ReadonlySet<unknown> = new Set(['serious', 'critical']);

/** Copies of a database need the key of the original. */
const DEMO_ENV = { POSTURE_SECRET_KEY: 'the-secret-key-of-the-demo-for-tests' };

interface Credentials {
  username: string;
  password: string;
}

/** A session as the console stores it (session.ts). */
type KeptSession = Pick<components['schemas']['NewSessionDto'], 'id' | 'token' | 'provider' | 'scopes'> &
  Record<'expiresAt' | 'endsAt' | 'reportedAt', number> & { username: string };

interface PageOptions {
  /** Default: the first admin. */
  as?: Credentials | null;
  on?: keyof typeof VIEWPORTS;
  colorScheme?: 'light' | 'dark';
  /** Of the browser; default: `en-GB`. */
  locale?: string;
  /** Of the browser; default: `UTC`. */
  timeZone?: string;
}

/** A standalone service, and a browser that opens its console. */
export class ConsoleSite {
  /** Sessions by user name. They are reused, because sign-ins are the most expensive requests of a test. */
  private readonly sessions = new Map<string, Promise<KeptSession>>();
  /** Errors in the browser console and requests to other hosts, of all pages so far. */
  private readonly complaints: string[] = [];
  private readonly shownPictures =
    process.env.CONSOLE_PICTURES === 'docs' ? shownPictures() : new Set<string>();

  private constructor(
    readonly service: StandaloneHere,
    readonly client: ApiClient,
    private readonly browser: Browser,
    /** With the demo; undefined: the service's own, or the caller's. */
    private readonly database: TestDatabase | undefined,
    /** Origins of pages besides the console. */
    private readonly others: readonly string[],
  ) {}

  /** @param demo with the demo's data, folded and scored: 30 machines and 8 users over two days, or with a past of 90 */
  static async start({
    demo,
    env = {},
    others = [],
  }: {
    demo: boolean | 'past';
    /** As of `StandaloneHere.start`. */
    env?: Record<string, string>;
    /** Origins that pages may open too, such as an identity provider. */
    others?: readonly string[];
  }): Promise<ConsoleSite> {
    await installPackages([CHROMIUM]);
    const database = demo ? await demoDatabase(env, demo === 'past') : undefined;
    const service = await StandaloneHere.start({
      ...env,
      ...(database && { ...DEMO_ENV, DATABASE_URL: database.url }),
    });
    const client = await service.client();
    const browser = await chromium.launch({ executablePath: await pathOf(CHROMIUM.name) });
    return new ConsoleSite(service, client, browser, database, others);
  }

  get url(): string {
    return this.service.url;
  }

  /** A fresh window at a path of the console: nothing is remembered from another. */
  async open(
    path: string,
    {
      as = ADMIN,
      on = 'screen',
      colorScheme = 'light',
      locale = 'en-GB',
      timeZone = 'UTC',
    }: PageOptions = {},
  ): Promise<Page> {
    const context = await this.browser.newContext({
      viewport: VIEWPORTS[on],
      hasTouch: on === 'phone',
      colorScheme,
      locale,
      timezoneId: timeZone,
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(WAIT_MS_MAX);
    const page = await context.newPage();
    this.listen(page);
    if (as) await this.remember(page, as);
    await page.goto(`${this.url}/app${path}`);
    if (as) await page.locator('nav.mantine-AppShell-navbar').waitFor({ state: 'attached' });
    return page;
  }

  /**
   * Waits until the page has loaded; of a quarter of the names, another one from run to run, takes a screenshot and
   * checks accessibility with axe.
   */
  async look(page: Page, name: string): Promise<void> {
    const isShown = (await this.shownPictures).has(name);
    await waitUntilLoaded(page);
    if (!isShown && !isInRun(name, 4)) return;
    const folder = isShown ? SHOWN_PICTURES : PICTURES;
    await mkdir(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}.png`) });
    // A page that is looked at again still has it.
    if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(await axeSource);
    const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${AXE_OPTIONS})`);
    const serious = violations.filter(({ impact }) => SERIOUS.has(impact));
    expect(
      serious.map(({ id, nodes }) => [
        id,
        ...nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
      ]),
    ).toEqual([]);
  }

  /** Closes all pages, because open pages continue to follow the service. Call it after each test. */
  async endTest(options?: { but?: readonly RegExp[] }): Promise<void> {
    await Promise.all(this.browser.contexts().map((context) => context.close()));
    this.expectNoComplaint(options);
  }

  /** Expects no errors in any page. @param but patterns of errors that the test causes */
  expectNoComplaint({ but = [] }: { but?: readonly RegExp[] } = {}): void {
    const seen = this.complaints.splice(0);
    expect(seen.filter((complaint) => !but.some((expected) => expected.test(complaint)))).toEqual([]);
  }

  /** Closes the browser, verifies the tables against the log, stops and removes the service. */
  async stop(): Promise<void> {
    await this.browser.close();
    await expectVerified(this.service.env);
    await this.service.stopAndRemove();
    await this.database?.drop();
  }

  /** Restores a session in this window; session.spec.ts tests the sign-in itself. */
  private async remember(page: Page, credentials: Credentials): Promise<void> {
    const session = JSON.stringify(await this.sessionOf(credentials));
    // Once a window: a user who signs out stays signed out.
    const keep = `sessionStorage.setItem('posture-session-2', ${JSON.stringify(session)})`;
    await page.addInitScript(`if (window.name === '') { window.name = 'signed in'; ${keep}; }`);
  }

  /** A session in force: a test may have signed out. */
  private async sessionOf(credentials: Credentials): Promise<KeptSession> {
    const known = await this.sessions.get(credentials.username);
    if (known && (await isInForce(this.url, known))) return known;
    const begun = beginSession(this.url, credentials);
    this.sessions.set(credentials.username, begun);
    return begun;
  }

  private listen(page: Page): void {
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()))
        this.complaints.push(`${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.complaints.push(`uncaught: ${error.message}`));
    page.on('request', (request) => {
      if (![this.url, ...this.others].some((origin) => request.url().startsWith(origin)))
        this.complaints.push(`outside request: ${request.url()}`);
    });
  }
}

/** Waits until no data is pending and no transition runs; endless animations are ignored. */
async function waitUntilLoaded(page: Page): Promise<void> {
  await until('all displayed data is loaded', async () => (await page.locator('[data-stale]').count()) === 0);
  await page.evaluate(`Promise.all(document.getAnimations()
    .filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime))
    .map(({ finished }) => finished.catch(() => undefined)))`);
}

export async function signIn(page: Page, { username, password }: Credentials) {
  await page.getByLabel('User name').fill(username);
  await page.locator('input[name=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' });
}

async function beginSession(url: string, { username, password }: Credentials): Promise<KeptSession> {
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  const headers = { authorization: `Basic ${basic}`, 'user-agent': USER_AGENT };
  const answer = await fetch(`${url}/api/v3/sessions`, { method: 'POST', headers });
  if (!answer.ok) throw new Error(`the sign-in of ${username} answered ${answer.status}`);
  const { user, ...session } = (await answer.json()) as components['schemas']['NewSessionDto'];
  const [expiresAt, endsAt] = [Date.parse(session.expiresAt), Date.parse(session.endsAt)];
  return { ...session, username: user, expiresAt, endsAt, reportedAt: Date.now() };
}

async function isInForce(url: string, { token }: KeptSession): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${url}/api/v3/session`, { headers })).ok;
}

/** Names of the pictures in docs/console.md. */
async function shownPictures(): Promise<ReadonlySet<string>> {
  const page = await readFile('docs/console.md', 'utf8');
  return new Set(Array.from(page.matchAll(/\(console\/([\w-]+)\.png\)/g), ([, name]) => name!));
}

/** Path of a command from a Debian package. */
async function pathOf(command: string): Promise<string> {
  const { stdout } = await run('sh', ['-c', `command -v ${command}`]);
  return stdout.trim();
}

/** Loaded and scored once a run for each environment. */
function demoDatabase(env: Record<string, string>, hasPast: boolean): Promise<TestDatabase> {
  const key = hasPast ? { env, hasPast } : env;
  const name = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 12);
  return databaseLike(`template_demo_${name}`, async (url) => {
    if (hasPast) await writePast({ ...DEMO_ENV, ...FEW_PARTITIONS, DATABASE_URL: url });
    const service = await StandaloneHere.start({ ...env, ...DEMO_ENV, DATABASE_URL: url });
    if (!hasPast) await loadDemo(service);
    await untilScored(service);
    await service.stopAndRemove();
  });
}

const DEMO_SIZE = ['--machines', '30', '--users', '8'];

/** Before the first start. */
async function writePast(env: Record<string, string>): Promise<void> {
  const dataDir = await temporaryDataDir();
  await posture({ ...env, DATA_DIR: dataDir }, 'demo', '--days', '90', ...DEMO_SIZE);
  await rm(dataDir, { recursive: true, force: true });
}

async function loadDemo({ url }: StandaloneHere): Promise<void> {
  const env = { POSTURE_URL: url, POSTURE_USERNAME: ADMIN.username, POSTURE_PASSWORD: ADMIN.password };
  await posture(env, 'demo', ...DEMO_SIZE);
}

async function untilScored(service: StandaloneHere): Promise<void> {
  const client = await service.client();
  await until('the demo is folded and scored', async () => {
    const { assets, scoredAssets, at } = await client.get('/api/v3/scores/organization');
    const uploads = await client.all('/api/v3/uploads');
    return at !== null && assets > 30 && scoredAssets === assets && uploads.every(({ done }) => done);
  });
}
