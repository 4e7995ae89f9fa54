import { codeBlock, inlineCode } from './markdown.ts';
import type { TicketContent } from './ticket-content.ts';
import type { TicketOptions } from './ticket-kinds.ts';
import {
  type TicketAnswer,
  type TicketConnection,
  type TicketRequest,
  ticketRequest,
} from './ticket-request.ts';
import { type RemoteTicket, TicketError, type TicketMark, type TicketSystem } from './ticket-system.ts';

const API_VERSION = '2022-11-28';
const [MOVED, NOT_FOUND, GONE, CREATED] = [301, 404, 410, 201];
/** Of a repository that was renamed, or an issue that was transferred: the first for GET, the second for the others. */
const REDIRECTS = [MOVED, 307, 308];
/** Of an issue that was transferred or deleted. */
const LOST = [MOVED, NOT_FOUND, GONE];
const PAGE = 100;
/** Issues that are looked through for a mark, newest first. */
const PAGES_MAX = 20;
/** Between the clocks of the service and of GitHub. */
const SKEW_MS = 15 * 60_000;

interface Issue {
  number: number;
  html_url: string;
  body: string | null;
}

/** Issues of a repository at GitHub, or GitHub Enterprise Server. The webhook's URL is that of the repository. */
export function github(connection: TicketConnection, { labels = [] }: TicketOptions): TicketSystem {
  const { api, name } = repositoryOf(connection.url);
  let base = api;
  const send = (request: TicketRequest) =>
    ticketRequest(connection, {
      ...request,
      url: `${base}${request.url}`,
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${connection.secret}`,
        'x-github-api-version': API_VERSION,
      },
      accepts: [...REDIRECTS, ...(request.accepts ?? [])],
    });
  /** A redirect of the repository is followed, once. */
  const ask = async (request: TicketRequest): Promise<TicketAnswer> => {
    const answer = await send(request);
    if (!REDIRECTS.includes(answer.status)) return answer;
    const renamed = base === api ? renamedOf(api, (await send({ method: 'GET', url: '' })).location) : null;
    if (renamed !== null) {
      base = renamed;
      return ask(request);
    }
    if (request.accepts?.includes(MOVED)) return { ...answer, status: MOVED };
    throw new TicketError(`the repository ${name} was renamed or moved (status ${answer.status})`, {
      status: answer.status,
    });
  };
  const change = async (key: string | null, body: object) => {
    const { status } = await ask({ method: 'PATCH', url: `/issues/${key}`, body, accepts: LOST });
    if (!LOST.includes(status)) return true;
    await assertReadable();
    return false;
  };
  /** GitHub answers the same for every issue of a repository that was renamed, or that the token cannot read. */
  const assertReadable = async () => {
    const { status } = await ask({ method: 'GET', url: '', accepts: LOST });
    if (LOST.includes(status)) {
      throw new TicketError(`the repository ${name} cannot be read, or was renamed (status ${status})`, {
        status,
      });
    }
  };
  const remote = ({ number, html_url: url }: Issue): RemoteTicket => ({ key: `${number}`, url });
  return {
    async find({ text, formerTexts, since }) {
      const comments = [text, ...formerTexts].map(commentOf);
      const query = new URLSearchParams({
        state: 'all',
        sort: 'created',
        direction: 'desc',
        since: new Date(since - SKEW_MS).toISOString(),
        per_page: `${PAGE}`,
      });
      for (let page = 1; page <= PAGES_MAX; page += 1) {
        const { body } = await ask({ method: 'GET', url: `/issues?${query}&page=${page}` });
        const issues = Array.isArray(body) ? body.filter(isIssue) : [];
        const found = issues.find(({ body: shown }) => comments.some((comment) => shown?.includes(comment)));
        if (found) return remote(found);
        if (!Array.isArray(body) || body.length < PAGE) return null;
      }
      return null;
    },
    async open(content, mark) {
      const body = { title: content.title, body: bodyOf(content, mark), labels };
      const { status, body: issue } = await ask({ method: 'POST', url: '/issues', body, accepts: [GONE] });
      if (status === GONE) {
        throw new TicketError(`the repository ${name} has no issues (status ${GONE})`, {
          status,
          isFinal: true,
        });
      }
      if (status !== CREATED || !isIssue(issue)) {
        throw new TicketError(`GitHub did not return the new issue of ${name} (status ${status})`, {
          status,
        });
      }
      return remote(issue);
    },
    async close({ key }, _content, end) {
      await change(key, { state: 'closed', state_reason: end === 'Fixed' ? 'completed' : 'not_planned' });
    },
    reopen: ({ key }) => change(key, { state: 'open' }),
    labelOf: (key) => `${name}#${key}`,
    async test() {
      const { status, body } = await ask({ method: 'GET', url: '' });
      const { has_issues: hasIssues } = (body ?? {}) as { has_issues?: boolean };
      if (hasIssues !== true) throw new TicketError(`the repository ${name} has no issues`, { status });
      return `the repository ${name} can be read and has issues; no issue was created`;
    },
  };
}

/** Where a repository is that was renamed: GitHub redirects to its number. Null: elsewhere, or nowhere. */
function renamedOf(api: string, location: string | null): string | null {
  const root = `${api.slice(0, api.indexOf('/repos/'))}/repositories/`;
  return location?.startsWith(root) && /^\d+$/.test(location.slice(root.length)) ? location : null;
}

function isIssue(value: unknown): value is Issue {
  const { number, html_url: url } = (value ?? {}) as Partial<Issue>;
  return Number.isSafeInteger(number) && typeof url === 'string' && URL.canParse(url);
}

/** Not shown. A text of a finding cannot contain it: it is in code, and the mark is not to be guessed. */
const commentOf = (mark: string): string => `<!-- risk-posture-service ${mark} -->`;

function bodyOf({ facts, texts, url }: TicketContent, { text }: TicketMark): string {
  return [
    facts.map(({ label, value }) => `- ${label}: ${inlineCode(value)}`).join('\n'),
    ...texts.map(({ label, value }) => `### ${label}\n\n${codeBlock(value)}`),
    ...(url === null ? [] : [`[Open the finding](${url})`]),
    commentOf(text),
  ].join('\n\n');
}

/** Null if the URL is none of a repository: an origin and two names. */
export function readRepository(url: string): { owner: string; repository: string } | null {
  const { pathname, search } = new URL(url);
  const [, owner, repository, ...rest] = pathname.replace(/\/$/, '').split('/');
  if (!owner || !repository || rest.length > 0 || search !== '') return null;
  return [owner, repository].every((part) => /^[\w.-]{1,100}$/.test(part)) ? { owner, repository } : null;
}

function repositoryOf(url: string): { api: string; name: string } {
  const { owner, repository } = readRepository(url)!;
  const { origin, host } = new URL(url);
  const base = host === 'github.com' ? 'https://api.github.com' : `${origin}/api/v3`;
  return { api: `${base}/repos/${owner}/${repository}`, name: `${owner}/${repository}` };
}
