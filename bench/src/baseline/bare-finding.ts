/** A signal as the bare writer needs it: the values of its rows, and nothing else. Times are epoch milliseconds. */
export interface BareFinding {
  entityKey: string;
  signalId: string;
  uploadId: string;
  /** ZIP entry. */
  entry: string | null;
  eventId: string;
  user: string | null;
  requestId: string | null;
  receivedAt: number;
  lastSeen: number;
  expiresAt: number;
  retainUntil: number;
  type: string;
  name: string;
  state: string;
  severity: number;
  cves: string[];
  techniques: string[];
  source: string | null;
  /** The finding as it is stored; the writer sets `number` and `id`. */
  body: BareBody;
  /** The asset as it is stored, called for its first finding; the writer sets `number` and `id`. */
  asset: () => BareAsset;
}

export interface BareAsset {
  name: string;
  type: string;
  attackSurface: string;
  department: string;
  location: string;
  criticality: string | null;
  sources: string[];
  state: { number: number; id: string } & Record<string, unknown>;
}

interface BareBody extends Record<string, unknown> {
  number: number;
  id: string;
  description: string | null;
  firstSeen: number;
  updatedAt: number;
}
