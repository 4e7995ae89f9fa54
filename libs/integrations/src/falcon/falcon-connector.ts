import type { OsMapping, SignalContext } from '#libs/domain';
import { type Connector, type PulledPage, pageOf } from '../connector.ts';
import { type CountedPage, shortfallOf } from '../requests/cursor-pages.ts';
import { VendorError } from '../requests/vendor-error.ts';
import { SINGLE_EFFORT } from '../requests/vendor-requests.ts';
import { placeAlerts } from './alert-hosts.ts';
import { alertSignals } from './alert-signals.ts';
import { unknownStates } from './alert-state.ts';
import { falconChecks } from './falcon-checks.ts';
import { ALERTS_CHANGED_FIELD, type FalconClient, HOSTS_CHANGED_FIELD } from './falcon-client.ts';
import { alertFilter, falconFilter } from './falcon-filter.ts';
import { ChangeMark, type FalconMarks, readMarks, sinceWithOverlap, writeMarks } from './falcon-watermark.ts';
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
  name: keyof FalconMarks;
  changedField: string;
  /** @param mark its start */
  filterOf(mark: number | null): string;
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
    const alerts = this.alerts();
    const of = await this.count(marks, hosts, alerts, signal);
    const progress = { done: 0, of };
    yield* pullSection(hosts, marks, progress, signal);
    yield* pullSection(alerts, marks, progress, signal);
  }

  private hosts(): Section {
    const { tagFilters, source, osMapping } = this.options;
    return {
      name: 'hosts',
      changedField: HOSTS_CHANGED_FIELD,
      filterOf: (mark) =>
        falconFilter({ changedField: HOSTS_CHANGED_FIELD, since: sinceWithOverlap(mark), tagFilters }),
      pages: (filter, signal) => this.client.hostPages(filter, signal),
      map: async ({ records }) => {
        const signals = records.flatMap((host) => hostSignal(host, source, osMapping()) ?? []);
        const nameless = records.length - signals.length;
        if (nameless === 0) return { signals, ignored: {}, failed: [], notices: [] };
        return { signals, ignored: { nameless }, failed: [], notices: [NAMELESS] };
      },
    };
  }

  private alerts(): Section {
    const { tagFilters, source } = this.options;
    return {
      name: 'alerts',
      changedField: ALERTS_CHANGED_FIELD,
      filterOf: (mark) => alertFilter(ALERTS_CHANGED_FIELD, sinceWithOverlap(mark)),
      pages: (filter, signal) => this.client.alertPages(filter, signal),
      map: async ({ number, records }, signal) => {
        const what = `alerts page ${number}`;
        const { placed, ...rest } = await placeAlerts(this.client, what, records, tagFilters, signal);
        const notices = unknownStates(records).map(stateNotice);
        return { signals: alertSignals(placed, source), ...rest, notices };
      },
    };
  }

  /** null if the platform does not say: the paging itself will say why. */
  private async count(
    marks: FalconMarks,
    hosts: Section,
    alerts: Section,
    signal: AbortSignal,
  ): Promise<number | null> {
    try {
      const hostCount = await this.client.countHosts(hosts.filterOf(marks.hosts), signal, SINGLE_EFFORT);
      const alertCount = await this.client.countAlerts(alerts.filterOf(marks.alerts), signal, SINGLE_EFFORT);
      return hostCount === null || alertCount === null ? null : hostCount + alertCount;
    } catch (error) {
      if (error instanceof VendorError) return null;
      throw error;
    }
  }
}

/**
 * A page that fails permanently ends its section, because only its response has the cursor of the next one; earlier
 * pages stay. An incomplete page does not end the section, but the section's mark stays before it. If the platform
 * rejects a cursor, for example an old one, the section continues from its mark.
 */
async function* pullSection(
  section: Section,
  marks: FalconMarks,
  progress: PulledPage['progress'],
  signal: AbortSignal,
): AsyncGenerator<PulledPage> {
  for (;;) {
    const start = marks[section.name];
    try {
      yield* pullFrom(start, section, marks, progress, signal);
      return;
    } catch (error) {
      if (!(error instanceof VendorError)) throw error;
      const hasAdvanced = (marks[section.name] ?? 0) > (start ?? 0);
      if (error.failure === 'request' && hasAdvanced) continue;
      const failed = [{ what: error.what, message: error.reason }];
      yield pageOf({ failed, watermark: writeMarks(marks), progress: { ...progress } });
      return;
    }
  }
}

/** @throws VendorError */
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
    mark.note(page.records, page.answeredAt);
    const failed = [...mapped.failed];
    if (page.flaw !== null) failed.push({ what: `${section.name} page ${page.number}`, message: page.flaw });
    isMissing ||= failed.length > 0;
    const shortfall = page.isLast ? shortfallOf({ first, last: page.total }, page.received) : null;
    if (shortfall !== null) {
      marks[section.name] = start;
      failed.push({ what: section.name, message: shortfall });
    } else if (!isMissing) marks[section.name] = mark.at(page.isLast);
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
