import { type AssetState, NO_SLA_FACTS } from '#libs/domain';
import {
  type AssetDetail,
  assetDetail,
  countFindings,
  type FindingItem,
  findingItem,
  type SeenAsset,
  seenAsset,
} from '#libs/views';

/** The requested filter; all conditions must match. */
export interface AsOfFilter {
  /** An asset's id, or a name that it is or was called by, in any case. */
  asset?: string;
  /** Ids and encrypted names of assets whose name is `asset`. */
  sealed?: readonly string[];
  /** Id of a finding. */
  finding?: string;
  /** Retired findings too. */
  retired?: boolean;
}

/** An asset as the API answers it, and its findings as the API lists them, without what the settings decide. */
export interface AsOfLine {
  asset: Omit<AssetDetail, 'owner'>;
  findings: KnownItem[];
}

type BySla = 'due' | 'dueBy' | 'overdue' | 'sla';
type ByRule = 'assignee' | 'assigneeBy';
/** Assignee and due date only if a user has chosen them. */
type KnownItem = Omit<FindingItem, BySla | ByRule> & Partial<Pick<FindingItem, BySla | ByRule>>;

/**
 * The assets of a partition as known at an instant: one line each, by name, then id. A deleted asset, or a
 * finding that was Retired, is among them only if it is requested by name or id.
 * @param at epoch milliseconds, not before the last event that was folded
 */
export function* asOfLines(assets: AssetState[], at: number, filter: AsOfFilter): Generator<AsOfLine> {
  const basis = { ...NO_SLA_FACTS, at, sla: null };
  const wanted = assets.filter((state) => isSelected(state, filter)).sort(byNameAndId);
  for (const state of wanted) {
    const seen = seenAsset(state, at);
    const findings = seen.findings.filter(({ finding, state }) =>
      filter.finding === undefined
        ? state !== 'Retired' || filter.retired === true
        : finding.id === filter.finding.toLowerCase(),
    );
    yield { asset: viewOf(seen), findings: findings.map((finding) => knownOf(findingItem(finding, basis))) };
  }
}

function viewOf(seen: SeenAsset): AsOfLine['asset'] {
  const { owner: _, ...known } = assetDetail(seen, countFindings(seen.findings));
  return known;
}

/** SLA and owner rules are in another partition of the log: without a user's choice, null would mean that none applies. */
function knownOf({ assignee, assigneeBy, due, dueBy, overdue, sla, ...known }: FindingItem): KnownItem {
  return {
    ...known,
    ...(assigneeBy === 'user' && { assignee, assigneeBy }),
    ...(dueBy === 'user' && { due, dueBy, overdue, sla }),
  };
}

function isSelected({ asset, findings }: AssetState, filter: AsOfFilter): boolean {
  const isNamed = filter.asset !== undefined || filter.finding !== undefined;
  if (asset.deletedAt !== null && !isNamed) return false;
  if (filter.finding !== undefined && !findings.has(filter.finding.toLowerCase())) return false;
  if (filter.asset === undefined) return true;
  const name = filter.asset.toLowerCase();
  if (asset.id === name) return true;
  const called = [asset.name, ...asset.aliases];
  return (
    called.some((known) => known.toLowerCase() === name) ||
    [asset.id, ...called].some((known) => filter.sealed?.includes(known))
  );
}

/** By code unit, so that the order is the same everywhere; `number` orders assets of one name by age. */
const byNameAndId = ({ asset: a }: AssetState, { asset: b }: AssetState): number => {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.id < b.id ? -1 : 1;
};
