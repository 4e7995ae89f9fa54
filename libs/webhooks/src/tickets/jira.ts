import { jiraDocument } from './jira-document.ts';
import { type StatusCategory, transitionTo } from './jira-transition.ts';
import { shortened } from './plain-text.ts';
import type { TicketOptions } from './ticket-kinds.ts';
import { type TicketConnection, type TicketRequest, ticketRequest } from './ticket-request.ts';
import { type RemoteTicket, TicketError, type TicketMark, type TicketSystem } from './ticket-system.ts';

/** Entity property of an issue: set as it is created, found by search, and not shown to people. */
const PROPERTY = 'risk-posture-service';
const [BAD_REQUEST, NOT_FOUND] = [400, 404];
/** Of Jira, in UTF-16 code units. */
const SUMMARY_LENGTH_MAX = 255;
const PAGE = 100;
/** Issues that are looked through for a mark, newest first. */
const PAGES_MAX = 20;
const MINUTE_MS = 60_000;
/** Between the clocks of the service and of Jira. */
const SKEW_MS = 15 * MINUTE_MS;
/** How long a new issue can be missing in searches: "from a few seconds to minutes" (Atlassian: search and reconcile). */
const SEARCH_LAG_MS = 2 * MINUTE_MS;
const PERMISSIONS = ['BROWSE_PROJECTS', 'CREATE_ISSUES', 'TRANSITION_ISSUES'];

/** Issues of a project of Jira Cloud (REST API version 3). The webhook's URL is that of the site. */
export function jira(connection: TicketConnection, options: TicketOptions): TicketSystem {
  const { project = '', issueType = '', labels = [], user = '', resolution } = options;
  const { secret, clock } = connection;
  const authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
  const ask = (request: TicketRequest) =>
    ticketRequest(connection, {
      ...request,
      url: `${apiOf(connection.url)}${request.url}`,
      headers: { authorization },
    });
  let known: string | undefined;
  /** Origin of the site for browsers: calls of scoped tokens go to another address. */
  const site = async (): Promise<string> => {
    known ??= siteOf((await ask({ method: 'GET', url: '/serverInfo' })).body);
    return known;
  };
  const remote = async (key: string): Promise<RemoteTicket> => ({
    key,
    url: `${await site()}/browse/${key}`,
  });
  const projectUrl = `/project/${project}`;
  /** Jira answers the same for every issue of a project that the account cannot see. */
  const assertVisible = async () => {
    const { status } = await ask({ method: 'GET', url: projectUrl, accepts: [NOT_FOUND] });
    if (status === NOT_FOUND) {
      throw new TicketError(`the project ${project} does not exist, or the account cannot see it`, {
        status,
      });
    }
  };
  /** Moves an issue unless its status belongs to a category. False: the issue is deleted. */
  const move = async (key: string | null, isThere: (category: string) => boolean, to: StatusCategory[]) => {
    const issue = await ask({ method: 'GET', url: `/issue/${key}?fields=status`, accepts: [NOT_FOUND] });
    if (issue.status === NOT_FOUND) {
      await assertVisible();
      return false;
    }
    if (isThere(categoryOf(issue.body))) return true;
    const { body } = await ask({ method: 'GET', url: `/issue/${key}/transitions?expand=transitions.fields` });
    const { transitions } = (body ?? {}) as { transitions?: unknown };
    const transition = transitionTo(to, transitions, to.includes('done') ? resolution : undefined);
    if ('missing' in transition) throw cannotMove(key, to, transition.missing);
    const { id, fields } = transition;
    await ask({
      method: 'POST',
      url: `/issue/${key}/transitions`,
      body: { transition: { id }, ...(fields && { fields }) },
    });
    return true;
  };
  return {
    async find({ text, formerTexts, since, requestedAt }) {
      const marks = new Set<unknown>([text, ...formerTexts]);
      const now = clock();
      const minutes = Math.ceil((now - since + SKEW_MS) / MINUTE_MS);
      // Relative, because absolute times are read in the time zone of the account.
      const jql = `(project = "${project}" OR creator = currentUser()) AND created >= "-${minutes}m" ORDER BY created DESC`;
      let nextPageToken: string | undefined;
      for (let page = 1; page <= PAGES_MAX; page += 1) {
        const { body } = await ask({
          method: 'POST',
          url: '/search/jql',
          body: {
            ...{ jql, fields: ['created'], properties: [PROPERTY], maxResults: PAGE },
            ...(nextPageToken !== undefined && { nextPageToken }),
          },
        });
        const { issues, next } = pageOf(body);
        const found = issues.find(({ properties }) => marks.has(properties?.[PROPERTY]?.mark));
        if (found) return remote(found.key);
        nextPageToken = next;
        if (nextPageToken === undefined) break;
      }
      const waitMs = requestedAt === null ? 0 : requestedAt + SEARCH_LAG_MS - now;
      if (waitMs <= 0) return null;
      throw new TicketError(
        'the creation of an issue was interrupted: waits until searches of Jira show it',
        {
          ...{ status: null, retryAfterMs: waitMs, isOwnLimit: true },
        },
      );
    },
    async open(content, { text }: TicketMark) {
      // Before the creation, so that nothing fails after it.
      await site();
      const { status, body } = await ask({
        method: 'POST',
        url: '/issue',
        body: {
          fields: {
            project: { key: project },
            issuetype: { name: issueType },
            summary: shortened(content.title, SUMMARY_LENGTH_MAX),
            description: jiraDocument(content),
            ...(labels.length > 0 && { labels }),
          },
          properties: [{ key: PROPERTY, value: { mark: text } }],
        },
        accepts: [BAD_REQUEST],
      });
      if (status === BAD_REQUEST) {
        const words = fieldsOf(body).join(', ') || 'project, issueType';
        throw new TicketError(
          `the project ${project} does not accept the issue (status ${status}): see the fields ${words}`,
          { status, isOfFinding: true },
        );
      }
      const { key } = (body ?? {}) as { key?: unknown };
      if (isKey(key)) return remote(key);
      throw new TicketError(`Jira did not return the new issue of ${project} (status ${status})`, {
        status: null,
      });
    },
    async close({ key }) {
      await move(key, (category) => category === 'done', ['done']);
    },
    reopen: ({ key }) => move(key, (category) => category !== 'done', ['new', 'indeterminate']),
    labelOf: (key) => key,
    async test() {
      await assertVisible();
      const types = ((await ask({ method: 'GET', url: projectUrl })).body ?? {}) as {
        issueTypes?: { name?: string; subtask?: boolean }[];
      };
      if (!types.issueTypes?.some(({ name, subtask }) => name === issueType && subtask !== true)) {
        throw new TicketError(`the project ${project} has no issue type ${issueType}`, { status: null });
      }
      const query = new URLSearchParams({ projectKey: project, permissions: PERMISSIONS.join(',') });
      const { permissions = {} } = ((await ask({ method: 'GET', url: `/mypermissions?${query}` })).body ??
        {}) as {
        permissions?: Record<string, { havePermission?: boolean }>;
      };
      const missing = PERMISSIONS.filter((name) => permissions[name]?.havePermission !== true);
      if (missing.length > 0) {
        throw new TicketError(
          `the account lacks permissions in the project ${project}: ${missing.join(', ')}`,
          {
            status: null,
          },
        );
      }
      return `the project ${project} has the issue type ${issueType}, and the account may create and move issues; no issue was created`;
    },
  };
}

/** A site, or the address of a site for scoped tokens. */
export const isJiraSite = (url: string): boolean => {
  const { pathname, search } = new URL(url);
  return search === '' && /^(\/|\/ex\/jira\/[\w-]{1,64}\/?)$/.test(pathname);
};

/** The key of a project: no other character can be in a path or in JQL. */
export const PROJECT_KEY = /^[A-Z][A-Z0-9_]{1,254}$/;

const apiOf = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/$/, '')}/rest/api/3`;
};

function siteOf(body: unknown): string {
  const { baseUrl } = (body ?? {}) as { baseUrl?: unknown };
  if (typeof baseUrl === 'string' && URL.canParse(baseUrl)) return baseUrl.replace(/\/$/, '');
  throw new TicketError('Jira did not return the address of its site', { status: null });
}

const isKey = (key: unknown): key is string => typeof key === 'string' && /^[A-Z][A-Z0-9_]*-\d+$/.test(key);

interface FoundIssue {
  key: string;
  properties?: Record<string, { mark?: unknown } | undefined>;
}

function pageOf(body: unknown): { issues: FoundIssue[]; next: string | undefined } {
  const { issues, nextPageToken } = (body ?? {}) as { issues?: unknown; nextPageToken?: unknown };
  return {
    issues: Array.isArray(issues) ? issues.filter((issue) => isKey(issue?.key)) : [],
    next: typeof nextPageToken === 'string' ? nextPageToken : undefined,
  };
}

const categoryOf = (issue: unknown): string =>
  (issue as { fields?: { status?: { statusCategory?: { key?: string } } } } | null)?.fields?.status
    ?.statusCategory?.key ?? '';

/** Ids of the fields that Jira rejects: names of its own, without their texts. */
function fieldsOf(body: unknown): string[] {
  const { errors } = (body ?? {}) as { errors?: object };
  return Object.keys(errors ?? {}).filter((name) => /^\w{1,50}$/.test(name));
}

const cannotMove = (key: string | null, to: readonly StatusCategory[], missing: readonly string[]) =>
  new TicketError(
    missing.length > 0
      ? `the transition of ${key} requires fields: ${missing.join(', ')} (options.resolution sets the resolution)`
      : `no transition of ${key} leads to a status of the category ${to.join(' or ')}, or the account may not move it`,
    { status: null, isOfFinding: true },
  );
