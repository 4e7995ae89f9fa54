import type { StreamTopic } from '#libs/changes';
import type { ChangeFilter } from './change-filter.ts';

/** One process delivers all of them, each with a delivery in memory and a connection. */
export const WEBHOOKS_MAX = 50;

/**
 * Why a webhook delivers nothing. `user`: somebody paused it; `gone`: its receiver answered 410; `exhausted`: a delivery
 * was tried for days; `gap`: changes are missing from the history behind its position; `restored`: its site is from a
 * backup.
 */
export const PAUSE_REASONS = ['user', 'gone', 'exhausted', 'gap', 'restored'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

export interface Pause {
  reason: PauseReason;
  message: string;
  /** Epoch ms. */
  at: number;
}

/** Where changes are delivered to; times are epoch ms. */
export interface Webhook {
  id: string;
  /** Counts what users change. */
  version: number;
  url: string;
  /** In the order of `STREAM_TOPICS`. */
  topics: StreamTopic[];
  filter: ChangeFilter;
  enabled: boolean;
  /** Null where it is enabled. */
  paused: Pause | null;
  /** Everything up to here is delivered, or was passed over by the filter (`formatCursor`). */
  position: string;
  createdAt: number;
  updatedAt: number;
}

/** What the receiver said to the last attempt. */
export interface Answer {
  /** Of HTTP; null: there was no answer. */
  status: number | null;
  message: string;
  /** How long it took. */
  ms: number;
}

/** What lies between two positions, sent under one id until it is taken; times are epoch ms. */
export interface Delivery {
  id: string;
  webhookId: string;
  /** `superseded`: what it was to bring was decided anew before it was taken. */
  status: 'pending' | 'delivered' | 'superseded';
  from: string;
  to: string;
  changes: number;
  /** Of its body, as it was first made. */
  bytes: number;
  createdAt: number;
  /** Since it was made, or its webhook was last resumed. */
  attempts: number;
  firstAttemptAt: number | null;
  lastAttemptAt: number | null;
  /** Null: at once, or never again. */
  nextAttemptAt: number | null;
  finishedAt: number | null;
  answer: Answer | null;
}
