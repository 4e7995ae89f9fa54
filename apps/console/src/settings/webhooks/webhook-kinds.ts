import { t } from '@lingui/core/macro';
import type { Api } from '../../api/client.ts';

type Webhook = Api['WebhookDto'];
export type WebhookKind = Webhook['kind'];

/** What the form of a kind shows. */
export interface KindWords {
  name: string;
  /** Null: the secret is the address. */
  url: { label: string; description: string; placeholder: string } | null;
  /** Who the secret belongs to (`options.user`); null: it does not say. */
  user: { label: string; description: string } | null;
  /** Null: the service creates it. */
  secret: { label: string; description: string } | null;
  /** Options in addition to the user and the limit of an hour. */
  options: readonly (keyof Api['TicketOptionsDto'])[];
}

const JIRA_API = 'https://api.atlassian.com/ex/jira/';

export const kinds = (): Record<WebhookKind, KindWords> => ({
  cloudevents: {
    name: t`Changes to a URL`,
    url: {
      label: t`URL`,
      description: t`Receives the changes by POST, signed as Standard Webhooks specify`,
      placeholder: 'https://example.com/posture',
    },
    user: null,
    secret: null,
    options: [],
  },
  github: {
    name: t`GitHub issues`,
    url: {
      label: t`Repository`,
      description: t`Of GitHub, or of GitHub Enterprise Server`,
      placeholder: 'https://github.com/owner/repository',
    },
    user: null,
    secret: {
      label: t`Access token`,
      description: t`With the permission to read and write issues. Stored encrypted, and never shown again`,
    },
    options: ['labels'],
  },
  jira: {
    name: t`Jira issues`,
    url: {
      label: t`Site`,
      description: t`Of Jira Cloud; for a token with scopes, ${JIRA_API} and the ID of the site`,
      placeholder: 'https://your-site.atlassian.net',
    },
    user: { label: t`Account`, description: t`E-mail address of the account of the API token` },
    secret: {
      label: t`API token`,
      description: t`Of an account that creates and moves issues of the project. Stored encrypted, and never shown again`,
    },
    options: ['project', 'issueType', 'labels', 'resolution'],
  },
  slack: {
    name: t`Slack messages`,
    url: null,
    user: null,
    secret: {
      label: t`Address of the incoming webhook`,
      description: t`As Slack shows it. Stored encrypted, and never shown again`,
    },
    options: ['channel'],
  },
  teams: {
    name: t`Microsoft Teams messages`,
    url: null,
    user: null,
    secret: {
      label: t`Address of the workflow`,
      description: t`As Teams shows it for the workflow that posts to the channel. Stored encrypted, and never shown again`,
    },
    options: ['channel'],
  },
  email: {
    name: t`E-mail`,
    url: {
      label: t`Mail server`,
      description: t`smtps:// is encrypted from the start, smtp:// as soon as the server offers it`,
      placeholder: 'smtp://mail.example.com:587',
    },
    user: { label: t`User`, description: t`Only if the mail server requires a user name` },
    secret: {
      label: t`Password`,
      description: t`Only if the mail server requires a user name. Stored encrypted, and never shown again`,
    },
    options: ['from', 'to'],
  },
});

/** How lists and labels name a webhook. */
export const nameOf = ({ url, options: { channel, project } }: Pick<Webhook, 'url' | 'options'>): string =>
  channel ?? (project === undefined ? url : t`${project} at ${url}`);
