import { BadRequestException } from '@nestjs/common';
import type { StreamTopic } from '#libs/changes';
import {
  hasAccount,
  hasFixedUrl,
  hasSecretAddress,
  isJiraSite,
  isTicketKind,
  keyOf,
  newSecret,
  OPTIONS_OF,
  PROJECT_KEY,
  REQUIRED_OPTIONS,
  readRepository,
  type TicketOptions,
  type Webhook,
  type WebhookKind,
} from '#libs/webhooks';
import { assertScope } from '../auth/access.ts';
import type { Scope } from '../auth/scopes.ts';
import { isMailServer, MAIL_SERVER_EXPECTED, WEB_EXPECTED } from './receiver-url.ts';
import type { AddWebhookDto, ChangeWebhookDto } from './webhook.dto.ts';

/**
 * A webhook sends what its caller may read, to an address of the caller's choice.
 * @throws ScopeMissingException
 */
export function assertMaySend(kind: WebhookKind, scopes: ReadonlySet<Scope>): void {
  const scope = isTicketKind(kind) ? 'findings:read' : 'changes:read';
  assertScope(scopes, scope, `a webhook of the kind ${kind} requires`);
}

/** The rules for the fields of each kind of webhook. All throw BadRequestException. */

/** The address and the secret of a new webhook: a secret address is shown by its origin. */
export function addressOf(
  kind: WebhookKind,
  { url, secret, options }: Pick<AddWebhookDto, 'url' | 'secret' | 'options'>,
): { url: string; secret: string } {
  if (hasSecretAddress(kind)) {
    if (url !== undefined)
      throw new BadRequestException(`url is not a field of ${kind}: secret is the address`);
    return secretAddress(kind, secret);
  }
  if (url === undefined) throw new BadRequestException(urlExpected(kind));
  assertUrl(kind, url);
  if (kind === 'email') {
    if ((secret === undefined) !== (options?.user === undefined)) throw new BadRequestException(BOTH_OR_NONE);
    return { url, secret: secret ?? NO_PASSWORD };
  }
  return { url, secret: readSecret(kind, secret) };
}

/** Another secret; for a secret address also what is shown of it. */
export function rotatedOf(kind: WebhookKind, secret: string | undefined): { url?: string; secret: string } {
  return hasSecretAddress(kind) ? secretAddress(kind, secret) : { secret: readSecret(kind, secret) };
}

/** @param webhook before the change */
export function assertChange(
  { kind, url: before }: { kind: WebhookKind; url: string },
  { url, topics, filter, options }: ChangeWebhookDto,
): void {
  if (url !== undefined) {
    if (hasSecretAddress(kind)) {
      throw new BadRequestException(
        `url is not a field of ${kind}: replace the secret, which is the address`,
      );
    }
    if (hasFixedUrl(kind) && url !== before) {
      throw new BadRequestException(
        'url of a webhook that keeps issues cannot change: they are there. Add another webhook',
      );
    }
    assertUrl(kind, url);
  }
  assertFields(kind, { topics, filter, options });
  if (options) assertComplete(kind, options);
}

/**
 * The secret after a change, undefined if it stays: a stored secret is sent to no other address or account than the one it
 * was given for (R-KEY-3). That of `cloudevents` signs and is not sent; that of a chat is the address itself.
 * @param webhook before the change
 */
export function changedSecret(
  { kind, url: before, options: { user: userBefore } }: Pick<Webhook, 'kind' | 'url' | 'options'>,
  { url = before, options, secret }: Pick<ChangeWebhookDto, 'url' | 'options' | 'secret'>,
): string | undefined {
  if (!hasAccount(kind)) {
    if (secret === undefined) return undefined;
    throw new BadRequestException(
      `secret of ${kind} cannot change here: replace it with POST /api/v3/webhooks/{id}/rotate`,
    );
  }
  const user = options ? options.user : userBefore;
  if (user === undefined && secret !== undefined) throw new BadRequestException(BOTH_OR_NONE);
  if (secret !== undefined) return secret;
  if (user === undefined) return userBefore === undefined ? undefined : NO_PASSWORD;
  if (url === before && user === userBefore) return undefined;
  throw new BadRequestException(
    `secret must be ${SECRETS[kind]} if url or options.user changes: a stored secret is never sent to another address`,
  );
}

/** Of e-mail. */
const BOTH_OR_NONE = 'secret must be the password of options.user: send both, or none of them';
/** Stored for a mail server that requires no user name. */
const NO_PASSWORD = '';

/** Topics, filter and options are those of the kind. */
export function assertFields(
  kind: WebhookKind,
  { topics, filter, options = {} }: Pick<AddWebhookDto, 'topics' | 'filter' | 'options'>,
): void {
  if (isTicketKind(kind)) {
    if (topics !== undefined) throw new BadRequestException(`topics is not a field of ${kind}`);
  } else if (filter?.ssvc !== undefined) {
    throw new BadRequestException('filter.ssvc is only for tickets: events do not contain SSVC decisions');
  }
  const known: readonly string[] = isTicketKind(kind) ? [...OPTIONS_OF[kind], 'openedPerHourMax'] : [];
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !known.includes(name)) {
      throw new BadRequestException(`options.${name} is not an option of ${kind}`);
    }
  }
  if (kind === 'jira') assertJiraOptions(options);
}

function assertJiraOptions({ project, labels = [] }: TicketOptions): void {
  if (project !== undefined && !PROJECT_KEY.test(project)) {
    throw new BadRequestException(`options.project must be ${OPTIONS.project}`);
  }
  if (labels.some((label) => /\s/.test(label))) {
    throw new BadRequestException('options.labels must not contain spaces: labels of Jira have none');
  }
}

/** What each option that a kind requires must be. */
const OPTIONS: Partial<Record<keyof TicketOptions, string>> = {
  from: 'the e-mail address of the sender',
  to: 'a list of 1 to 20 e-mail addresses',
  project: 'the key of a project in capitals, such as RISK',
  issueType: 'the name of an issue type of the project, such as Task',
  user: 'the e-mail address of the account that the API token belongs to',
};

/** The options that a kind requires are there. */
export function assertComplete(kind: WebhookKind, options: TicketOptions): void {
  if (!isTicketKind(kind)) return;
  for (const name of REQUIRED_OPTIONS[kind]) {
    if (options[name] === undefined)
      throw new BadRequestException(`options.${name} must be ${OPTIONS[name]}`);
  }
}

/** A ticket follows the changes of findings; with decisions, also those of scores, when they are computed. */
export const topicsOf = (filter: { ssvc?: unknown }): StreamTopic[] =>
  filter.ssvc === undefined ? ['findings'] : ['findings', 'scores'];

const urlExpected = (kind: WebhookKind): string => URLS[kind] ?? `url must be ${WEB_EXPECTED}`;

const URLS: Partial<Record<WebhookKind, string>> = {
  github: 'url must be the address of a repository, such as https://github.com/owner/repository',
  jira: 'url must be the address of a site of Jira Cloud, such as https://your-site.atlassian.net, or https://api.atlassian.com/ex/jira/CLOUD-ID for a token with scopes',
  email: `url must be ${MAIL_SERVER_EXPECTED}`,
};

function assertUrl(kind: WebhookKind, url: string): void {
  if (!isUrlOf(kind, url)) throw new BadRequestException(urlExpected(kind));
}

function isUrlOf(kind: WebhookKind, url: string): boolean {
  if (kind === 'email') return isMailServer(url);
  if (!/^https?:/i.test(url)) return false;
  if (kind === 'github') return readRepository(url) !== null;
  return kind !== 'jira' || isJiraSite(url);
}

const SECRETS: Partial<Record<WebhookKind, string>> = {
  github: 'an access token of GitHub',
  jira: 'an API token of the account options.user',
  email: 'the password of options.user',
};

/** As the systems call it. */
const ADDRESSES: Partial<Record<WebhookKind, string>> = {
  slack: 'the incoming webhook of Slack',
  teams: 'the webhook of the workflow in Microsoft Teams',
};

function secretAddress(kind: WebhookKind, secret: string | undefined): { url: string; secret: string } {
  if (secret === undefined || !/^https?:\/\//i.test(secret) || !URL.canParse(secret)) {
    throw new BadRequestException(`secret must be the address of ${ADDRESSES[kind]}`);
  }
  const { origin, username, password, hash, href } = new URL(secret);
  if (username || password || hash) {
    throw new BadRequestException('secret must be an address without user name and fragment');
  }
  return { url: origin, secret: href };
}

function readSecret(kind: WebhookKind, secret: string | undefined): string {
  if (kind === 'cloudevents') {
    if (secret === undefined) return newSecret();
    if (keyOf(secret) !== null) return secret;
    throw new BadRequestException('secret must be whsec_ followed by 24 to 64 bytes in base64');
  }
  if (secret !== undefined) return secret;
  throw new BadRequestException(`secret must be ${SECRETS[kind]}`);
}
