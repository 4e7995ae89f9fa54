/** What `posture explain` reads of GET /api/v3/findings/:id (api.md: findings); all of it is passed on with `--json`. */
export interface FindingAnswer {
  id: string;
  assetId: string;
  assetName: string;
  type: string;
  name: string;
  state: string;
  retiredReason: string | null;
  severity: { value: number; level: string | null };
  cves: string[];
  techniques: string[];
  counted: boolean;
  notCountedBecause: string | null;
  source: string | null;
  firstSeen: string;
  lastSeen: string | null;
  expiresAt: string | null;
  version: number;
}

/** One field or instance that a change moved. */
export interface FieldChangeAnswer {
  field: string;
  key: string | null;
  before: unknown;
  after: unknown;
}

/** An item of GET /api/v3/findings/:id/history (api.md: finding history). */
export interface HistoryAnswer {
  at: string;
  change: string;
  from: string | null;
  to: string;
  reason: string | null;
  version: number;
  changes: FieldChangeAnswer[];
  changesLeftOut: number;
  cause: {
    eventId: string;
    kind: string;
    uploadId: string | null;
    entry: string | null;
    syncId: string | null;
    user: string | null;
    requestId: string | null;
  };
  position: { topic: string; partition: number; offset: number };
}
