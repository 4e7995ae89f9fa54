import type { Signal, SignalContext } from '#libs/domain';

/** One step of Test Connection. */
export interface ConnectionCheck {
  name: 'address' | 'credentials' | 'hosts' | 'alerts' | 'devices';
  ok: boolean;
  /** A sentence for the user, without any secret. */
  message: string;
}

/** What did not come; the rest was applied (D29: partial success). */
export interface PullFailure {
  /** `hosts page 3`, `alerts`, `device 7`. */
  what: string;
  message: string;
}

export interface PulledPage {
  /** Each passes the schema of signals; read them by `readPulledSignal`. */
  signals: Signal[];
  /** What the vendor sent on this page: hosts, alerts or devices. */
  records: number;
  /** Records that are no signal and need not be, by reason. */
  ignored: Partial<Record<IgnoredReason, number>>;
  failed: PullFailure[];
  /** What the user should know although nothing failed. */
  notices: string[];
  /**
   * Where the next pull begins once this page and all before it are applied; null: at the beginning. It may go back,
   * where the end shows that something between the pages is missing.
   */
  watermark: string | null;
  /** Records until here, and of how many; null where that is not known. */
  progress: { done: number; of: number | null };
}

/**
 * `noHost`: a detection that is not about a host. `otherTags`: its host has none of the tag filters (D30). `goneHost`: the
 * platform no longer has its host, so that its tags are not known. `nameless`: a host without name and id. `unmatched`:
 * a device that no asset is known of; `otherAttackSurface`: one whose attack surface is not listed (D31); `sameAsset`:
 * one whose asset another device of this pull has described, so that they do not take turns with each sync.
 * `repeated`: it came just so on the page before.
 */
export type IgnoredReason =
  | 'noHost'
  | 'otherTags'
  | 'goneHost'
  | 'nameless'
  | 'unmatched'
  | 'otherAttackSurface'
  | 'sameAsset'
  | 'repeated';

/** A vendor's data as signals; what the collector drives. A connector to another vendor implements this. */
export interface Connector {
  /** How its signals treat assets: whether they may onboard one or change its metadata (D28, D31). */
  readonly rules: SignalContext['rules'];
  /** Test Connection. Never throws: what fails is a check that is not ok. */
  checks(): Promise<ConnectionCheck[]>;
  /**
   * Pages in an order in which they can be applied. Ends early only where `signal` is aborted; what fails at the
   * vendor's is said in `failed` of a page.
   *
   * @param since the watermark of the last page that was applied; null pulls everything
   * @throws EgressError of kind `aborted`
   */
  pull(since: string | null, signal: AbortSignal): AsyncIterable<PulledPage>;
}

/** A page with nothing on it but what is given. */
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
