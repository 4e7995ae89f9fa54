import type { Answer } from '#libs/webhooks';

/** The reports that can be sent. */
export const REPORTS = ['board', 'technical'] as const;
export type ReportKind = (typeof REPORTS)[number];

export const CHANNELS = ['email', 'webhook'] as const;
export type ReportChannel = (typeof CHANNELS)[number];

/** `access`: its owner may no longer read the report or send it; `restored`: its site is from a backup. */
export const STOP_REASONS = ['access', 'restored'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

export interface Stop {
  reason: StopReason;
  message: string;
  /** Epoch ms. */
  at: number;
}

/** By whom a message is sent, and to whom. */
export interface ReportEmail {
  /** Of the mail server: `smtp:` or `smtps:`. */
  url: string;
  from: string;
  to: string[];
  /** Null: the mail server requires none. */
  user: string | null;
  password: string | null;
}

export interface ReportWebhook {
  url: string;
  /** Signs (Standard Webhooks). */
  secret: string;
}

/** What is stored encrypted: it names people, and addresses can contain tokens. */
export interface ScheduleContent {
  /** Of the technical report, as in an address. */
  query: string;
  email: ReportEmail | null;
  webhook: ReportWebhook | null;
}

/** A schedule as stored; times are epoch ms. */
export interface ScheduleRow {
  id: string;
  /** Counts what users change. */
  version: number;
  name: string;
  report: ReportKind;
  cron: string;
  timeZone: string;
  channels: ReportChannel[];
  /** `ScheduleContent`, sealed. */
  content: string;
  ownerId: string;
  enabled: boolean;
  stopped: Stop | null;
  /** Null: never. */
  nextAt: number | null;
  createdAt: number;
  updatedAt: number;
}

/** One sending of a report; times are epoch ms. */
export interface ReportDelivery {
  id: string;
  scheduleId: string;
  channel: ReportChannel;
  /** The report is made as of this instant. */
  at: number;
  cause: 'schedule' | 'catchUp' | 'user';
  status: 'pending' | 'sent' | 'failed';
  attempts: number;
  createdAt: number;
  lastAttemptAt: number | null;
  /** While an attempt is in progress: when another process may try it. */
  nextAttemptAt: number | null;
  finishedAt: number | null;
  /** The result of the last attempt. */
  answer: Answer | null;
}

export const channelsOf = ({ email, webhook }: ScheduleContent): ReportChannel[] => [
  ...(email ? (['email'] as const) : []),
  ...(webhook ? (['webhook'] as const) : []),
];
