import type { Api } from '../../api/client.ts';

type Webhook = Api['WebhookDto'];
export type WebhookKind = Webhook['kind'];

/** What the form of a kind shows. */
interface KindWords {
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

export const KINDS: Record<WebhookKind, KindWords> = {
  cloudevents: {
    name: 'Changes to a URL',
    url: {
      label: 'URL',
      description: 'Receives the changes by POST, signed as Standard Webhooks specify',
      placeholder: 'https://example.com/posture',
    },
    user: null,
    secret: null,
    options: [],
  },
  github: {
    name: 'GitHub issues',
    url: {
      label: 'Repository',
      description: 'Of GitHub, or of GitHub Enterprise Server',
      placeholder: 'https://github.com/owner/repository',
    },
    user: null,
    secret: { label: 'Access token', description: 'With the permission to read and write issues' },
    options: ['labels'],
  },
  jira: {
    name: 'Jira issues',
    url: {
      label: 'Site',
      description:
        'Of Jira Cloud; for a token with scopes, https://api.atlassian.com/ex/jira/ and the ID of the site',
      placeholder: 'https://your-site.atlassian.net',
    },
    user: { label: 'Account', description: 'E-mail address of the account of the API token' },
    secret: { label: 'API token', description: 'Of an account that creates and moves issues of the project' },
    options: ['project', 'issueType', 'labels', 'resolution'],
  },
  slack: {
    name: 'Slack messages',
    url: null,
    user: null,
    secret: { label: 'Address of the incoming webhook', description: 'As Slack shows it' },
    options: ['channel'],
  },
  teams: {
    name: 'Microsoft Teams messages',
    url: null,
    user: null,
    secret: {
      label: 'Address of the workflow',
      description: 'As Teams shows it for the workflow that posts to the channel',
    },
    options: ['channel'],
  },
  email: {
    name: 'E-mail',
    url: {
      label: 'Mail server',
      description: 'smtps:// is encrypted from the start, smtp:// as soon as the server offers it',
      placeholder: 'smtp://mail.example.com:587',
    },
    user: { label: 'User', description: 'Only if the mail server requires a user name' },
    secret: { label: 'Password', description: 'Only if the mail server requires a user name' },
    options: ['from', 'to'],
  },
};

/** How lists and labels name a webhook. */
export const nameOf = ({ url, options: { channel, project } }: Pick<Webhook, 'url' | 'options'>): string =>
  channel ?? (project === undefined ? url : `${project} at ${url}`);
