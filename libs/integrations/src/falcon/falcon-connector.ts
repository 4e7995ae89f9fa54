import type { OsMapping, SignalContext } from '#libs/domain';
import { type Connector, type PulledPage, pageOf } from '../connector.ts';
import { type CountedPage, shortfallOf } from '../requests/cursor-pages.ts';
import { VendorError } from '../requests/vendor-error.ts';
import { type Effort, SINGLE_EFFORT } from '../requests/vendor-requests.ts';
import { placeAlerts } from './alert-hosts.ts';
import { alertSignals, endSignals } from './alert-signals.ts';
import { unknownStates } from './alert-state.ts';
import { falconChecks } from './falcon-checks.ts';
import { ALERTS_CHANGED_FIELD, type FalconClient, HOSTS_CHANGED_FIELD } from './falcon-client.ts';
import { alertFilter, changedBefore, falconFilter } from './falcon-filter.ts';
import {
  ChangeMark,
  type FalconMarks,
  readMarks,
  type SectionName,
  sinceWithOverlap,
  writeMarks,
} from './falcon-watermark.ts';
import { hostSignal } from './host-signal.ts';

export interface FalconOptions {
  /** Of the signals: `falcon`. */
  source: string;
  /** Empty: all hosts. */
  tagFilters: string[];
  rules: SignalContext['rules'];
  /** As it is at the moment. */
  osMapping: () => OsMapping;
}

type MappedPage = Pick<PulledPage, 'signals' | 'ignored' | 'failed' | 'notices'>;

/** One of the two kinds of records, hosts before alerts, so that an alert finds its asset described. */
interface Section {
  name: SectionName;
  changedField: string;
  /** @param mark its start */
  filterOf(mark: number | null): string;
  count(filter: string, signal: AbortSignal, effort?: Effort): Promise<number | null>;
  pages(filter: string, signal: AbortSignal): AsyncGenerator<CountedPage>;
  map(page: CountedPage, signal: AbortSignal): Promise<MappedPage>;
}

/** Hosts and detections of the EDR platform. */
export class FalconConnector implements Connector {
  readonly rules: SignalContext['rules'];
  readonly isEdrInventory = true;

  constructor(
    private readonly client: FalconClient,
    private readonly options: FalconOptions,
  ) {
    this.rules = options.rules;
  }

  checks() {
    return falconChecks(this.client);
  }

  async *pull(since: string | null, signal: AbortSignal): AsyncGenerator<PulledPage> {
    const marks = readMarks(since);
    const hosts = this.hosts();
    const alerts = this.alerts(since !== null);
    const starts = {
      hosts: await startOf(hosts, marks, signal),
      alerts: await startOf(alerts, marks, signal),
    };
    const progress = { done: 0, of: await countOrNull(countBoth(starts, hosts, alerts, signal)) };
    yield* pullSection(starts.hosts, hosts, marks, progress, signal);
    yield* pullSection(starts.alerts, alerts, marks, progress, signal);
  }

  private hosts(): Section {
    const { tagFilters, source, osMapping } = this.options;
    return {
      name: 'hosts',
      changedField: HOSTS_CHANGED_FIELD,
      filterOf: (mark) =>
        falconFilter({ changedField: HOSTS_CHANGED_FIELD, since: sinceWithOverlap(mark), tagFilters }),
      count: (...asked) => this.client.countHosts(...asked),
      pages: (filter, signal) => this.client.hostPages(filter, signal),
      map: async ({ records }) => {
        const signals = records.flatMap((host) => hostSignal(host, source, osMapping()) ?? []);
        const nameless = records.length - signals.length;
        if (nameless === 0) return { signals, ignored: {}, failed: [], notices: [] };
        return { signals, ignored: { nameless }, failed: [], notices: [NAMELESS] };
      },
    };
  }

  private alerts(isDelta: boolean): Section {
    const { tagFilters, source } = this.options;
    return {
      name: 'alerts',
      changedField: ALERTS_CHANGED_FIELD,
      filterOf: (mark) => alertFilter(ALERTS_CHANGED_FIELD, sinceWithOverlap(mark)),
      count: (...asked) => this.client.countAlerts(...asked),
      pages: (filter, signal) => this.client.alertPages(filter, signal),
      map: async ({ number, records }, signal) => {
        const what = `alerts page ${number}`;
        const chosen = { tagFilters, isDelta };
        const { placed, ended, ...rest } = await placeAlerts(this.client, what, records, chosen, signal);
        const notices = unknownStates(records).map(stateNotice);
        const signals = [...alertSignals(placed, source), ...endSignals(ended, source)];
        return { signals, ...rest, notices };
      },
    };
  }
}

async function countBoth(
  starts: Record<SectionName, number | null>,
  hosts: Section,
  alerts: Section,
  signal: AbortSignal,
): Promise<number | null> {
  const hostCount = await hosts.count(hosts.filterOf(starts.hosts), signal, SINGLE_EFFORT);
  const alertCount = await alerts.count(alerts.filterOf(starts.alerts), signal, SINGLE_EFFORT);
  return hostCount === null || alertCount === null ? null : hostCount + alertCount;
}

/** null if the platform does not say: the paging itself will say why. */
async function countOrNull(count: Promise<number | null>): Promise<number | null> {
  try {
    return await count;
  } catch (error) {
    if (error instanceof VendorError) return null;
    throw error;
  }
}

/** The mark; that of a pull to begin again if it has not ended and lacks records. */
async function startOf(section: Section, marks: FalconMarks, signal: AbortSignal): Promise<number | null> {
  const { from = null } = marks.begun[section.name] ?? {};
  return (await gapBefore(section, marks, signal)) === null ? marks[section.name] : from;
}

/**
 * What a pull that has not ended lacks before its mark, as no last page has shown it: the platform has more records there
 * than the pull has received, or does not say. null: nothing, and the pull is over.
 */
async function gapBefore(section: Section, marks: FalconMarks, signal: AbortSignal): Promise<string | null> {
  const { name, changedField } = section;
  const begun = marks.begun[name];
  const mark = marks[name];
  if (begun === undefined || mark === null) return null;
  const filter = changedBefore(section.filterOf(begun.from), changedField, mark);
  const first = await countOrNull(section.count(filter, signal));
  const gap = shortfallOf({ first, last: null }, begun.received);
  if (gap === null) delete marks.begun[name];
  return gap;
}

/**
 * A page that fails permanently ends its section, because only its response has the cursor of the next one; earlier
 * pages stay. An incomplete page does not end the section, but the section's mark stays before it. If the platform
 * rejects a cursor, for example an old one, the section continues from its mark, unless records before it are missing.
 */
async function* pullSection(
  start: number | null,
  section: Section,
  marks: FalconMarks,
  progress: PulledPage['progress'],
  signal: AbortSignal,
): AsyncGenerator<PulledPage> {
  for (let from = start; ; from = marks[section.name]) {
    const earlier = marks.begun[section.name];
    try {
      yield* pullFrom(from, section, marks, progress, signal);
      return;
    } catch (error) {
      if (!(error instanceof VendorError)) throw error;
      let failed = { what: error.what, message: error.reason };
      const begun = marks.begun[section.name];
      if (error.failure === 'request' && begun !== undefined && begun !== earlier) {
        const gap = await gapBefore(section, marks, signal);
        if (gap === null) continue;
        failed = { what: section.name, message: gap };
      }
      yield pageOf({ failed: [failed], watermark: writeMarks(marks), progress: { ...progress } });
      return;
    }
  }
}

/** Only its first page sets a mark back to the start: an outage leaves it. @throws VendorError */
async function* pullFrom(
  start: number | null,
  section: Section,
  marks: FalconMarks,
  progress: PulledPage['progress'],
  signal: AbortSignal,
): AsyncGenerator<PulledPage> {
  const mark = new ChangeMark(start, section.changedField);
  const before = progress.done;
  let first: number | null = null;
  let isMissing = false;
  for await (const page of section.pages(section.filterOf(start), signal)) {
    first ??= page.total;
    const mapped = await section.map(page, signal);
    if (page.number === 1) {
      marks[section.name] = start;
      delete marks.begun[section.name];
    }
    mark.note(page.records, page.answeredAt);
    const failed = [...mapped.failed];
    if (page.flaw !== null) failed.push({ what: `${section.name} page ${page.number}`, message: page.flaw });
    isMissing ||= failed.length > 0;
    const shortfall = page.isLast ? shortfallOf({ first, last: page.total }, page.received) : null;
    if (shortfall !== null) {
      marks[section.name] = start;
      failed.push({ what: section.name, message: shortfall });
    } else if (!isMissing) marks[section.name] = mark.at(page.isLast);
    if (page.isLast) delete marks.begun[section.name];
    else if (!isMissing && marks[section.name] !== start) {
      marks.begun[section.name] = { from: start, received: mark.before(page.received) };
    }
    progress.done = before + page.received;
    yield pageOf({
      ...mapped,
      failed,
      ignored: page.repeated > 0 ? { ...mapped.ignored, repeated: page.repeated } : mapped.ignored,
      records: page.records.length,
      watermark: writeMarks(marks),
      progress: { ...progress },
    });
  }
}

const NAMELESS = 'some hosts have neither a host name nor an id: they are skipped';

const stateNotice = (state: string) =>
  `detections in the state ${JSON.stringify(state)}, which is unknown here, are not counted as failing`;
