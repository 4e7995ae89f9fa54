import type { Signal, SignalContext } from '#libs/domain';

/** Steps of Test Connection: the first two of every connector, then the permissions that each needs. */
export const CHECK_NAMES = [
  'address',
  'credentials',
  'hosts',
  'alerts',
  'devices',
  'assets',
  'vulnerabilities',
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** One step of Test Connection. */
export interface ConnectionCheck {
  name: CheckName;
  ok: boolean;
  /** A sentence for the user, without any secret. */
  message: string;
}

/** What could not be pulled; the rest was applied: a Partial Success (R-INT-3). */
export interface PullFailure {
  /** `hosts page 3`, `alerts`, `vulnerabilities chunk 7`. */
  what: string;
  message: string;
}

/** A signal, with the id of the device that it describes. A description without one is only one of its source. */
export interface PulledSignal extends Signal {
  deviceId?: string;
  /** It creates no asset, and returns no deleted one, whatever the rules of the connector. */
  onlyKnown?: true;
}

export interface PulledPage {
  /** Each passes the schema of signals; read them by `readPulledSignal`. */
  signals: PulledSignal[];
  /** The records of this page: hosts, alerts, devices, vulnerabilities. */
  records: number;
  /** Records that are no signal and need not be, by reason. */
  ignored: Partial<Record<IgnoredReason, number>>;
  failed: PullFailure[];
  /** Warnings for the user. */
  notices: string[];
  /**
   * Start of the next pull after this page and all earlier ones are applied; null: the beginning. It may go back, if
   * the end shows that records between the pages are missing.
   */
  watermark: string | null;
  /** Records (or a share of the pull) until here, and of how many; null if that is not known. */
  progress: { done: number; of: number | null };
}

/**
 * `noHost`: a detection that is not about a host. `otherTags`: its host has none of the tag filters. `goneHost`: the
 * platform no longer has its host, so that its tags or its name are not known. `nameless`: a host without name and id. `unmatched`:
 * a device that no asset is known of; `otherAttackSurface`: one whose attack surface is not listed; `sameAsset`:
 * one without an id whose asset another such device of this pull has described: they would take turns with each sync.
 * `repeated`: it came just so on the page before. `deleted`: a device that the platform has deleted, or that no longer
 * exists.
 */
export type IgnoredReason =
  | 'noHost'
  | 'otherTags'
  | 'goneHost'
  | 'nameless'
  | 'unmatched'
  | 'otherAttackSurface'
  | 'sameAsset'
  | 'repeated'
  | 'deleted';

/** A vendor's data as signals, for the collector. A connector to another vendor implements this. */
export interface Connector {
  /** How its signals treat assets: whether they may create one or change its metadata. */
  readonly rules: SignalContext['rules'];
  /**
   * An EDR platform: the entities that it describes are its inventory, which a pull from the beginning without a
   * failure lists completely.
   */
  readonly isEdrInventory: boolean;
  /** Test Connection. Never throws: a failure is a check that is not ok. */
  checks(): Promise<ConnectionCheck[]>;
  /**
   * Pages in an order in which they can be applied. Ends early only if `signal` is aborted; failures of the vendor are
   * reported in `failed` of a page.
   *
   * @param since the watermark of the last page that was applied; null pulls everything
   * @throws EgressError of kind `aborted`
   */
  pull(since: string | null, signal: AbortSignal): AsyncIterable<PulledPage>;
}

/** A page with only the given fields. */
export const pageOf = (
  given: Partial<PulledPage> & Pick<PulledPage, 'watermark' | 'progress'>,
): PulledPage => ({
  signals: [],
  records: 0,
  ignored: {},
  failed: [],
  notices: [],
  ...given,
});
