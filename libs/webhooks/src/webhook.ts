import type { StreamTopic } from '#libs/changes';
import type { RowLimits } from '#libs/tables';
import type { ChangeFilter } from './change-filter.ts';
import type { TicketOptions, WebhookKind } from './tickets/ticket-kinds.ts';

/** One process delivers all of them, each with a delivery in memory and a connection. */
export const WEBHOOKS_MAX = 50;

/**
 * Why a webhook delivers nothing. `user`: a user paused it; `gone`: its receiver responded with 410; `exhausted`: a
 * delivery failed for days; `gap`: changes after its position are missing from the history; `restored`: its site is
 * from a backup.
 */
export const PAUSE_REASONS = ['user', 'gone', 'exhausted', 'gap', 'restored'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

export interface Pause {
  reason: PauseReason;
  message: string;
  /** Epoch ms. */
  at: number;
}

/** A receiver of changes of the assets that its limits show; times are epoch ms. */
export interface Webhook extends RowLimits {
  id: string;
  /** Counts what users change. */
  version: number;
  /** Never changes. */
  kind: WebhookKind;
  /** If the address is the secret, its origin only. */
  url: string;
  /** Empty for `cloudevents`. */
  options: TicketOptions;
  /** In the order of `STREAM_TOPICS`. */
  topics: StreamTopic[];
  filter: ChangeFilter;
  enabled: boolean;
  /** Null if it is enabled. */
  paused: Pause | null;
  /** Everything up to here is delivered, or was skipped (`formatCursor`). */
  position: string;
  createdAt: number;
  updatedAt: number;
}

/** The receiver's response to the last attempt. */
export interface Answer {
  /** Of HTTP; null: there was no answer. */
  status: number | null;
  message: string;
  /** How long it took. */
  ms: number;
}

/** Id of the message, the same in each attempt to deliver it. */
export const messageIdOf = (deliveryId: string): string => `msg_${deliveryId}`;

/** The changes between two positions, sent under one id until they are accepted; times are epoch ms. */
export interface Delivery {
  id: string;
  webhookId: string;
  /** `superseded`: its changes were determined again before it was accepted. */
  status: 'pending' | 'delivered' | 'superseded';
  from: string;
  to: string;
  /** With those findings whose tickets the filter no longer keeps open. */
  changes: number;
  /** Of its body, as it was first made; 0 for tickets. */
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
