import { isObject, type Json, listOf, objectOf, textOf } from '../json-values.ts';
import {
  type CountedPage,
  type CursorPage,
  cursorPages,
  type RecordKeys,
  recordsOf,
} from '../requests/cursor-pages.ts';
import { errorListed } from '../requests/reported-errors.ts';
import { VendorError } from '../requests/vendor-error.ts';
import {
  type Effort,
  PAGE_EFFORT,
  type RetryTiming,
  type VendorAnswer,
  type VendorRequest,
  type VendorRequests,
} from '../requests/vendor-requests.ts';
import { hostIdFilter } from './falcon-filter.ts';
import { explained, type FalconCredentials, FalconToken } from './falcon-token.ts';

/** Fields of a host that become a signal: a whole host is several times as large. */
const HOST_FIELDS = [
  ...['device_id', 'hostname', 'machine_domain', 'os_version', 'platform_name'],
  ...['local_ip', 'external_ip', 'mac_address', 'tags', 'modified_timestamp'],
].join(',');

export const HOSTS_CHANGED_FIELD = 'modified_timestamp';
export const ALERTS_CHANGED_FIELD = 'updated_timestamp';

type FalconRequest = Pick<VendorRequest, 'what' | 'method' | 'signal'> & {
  /** From the base URL, with the query. */
  path: string;
  /** Sent as JSON. */
  json?: Json;
  errorIn?: VendorRequest['errorIn'];
};

/** Returned hosts, and the failures that the platform reports: then other hosts may be missing. */
export interface FoundHosts {
  hosts: Json[];
  /** Total number, if the platform reports it. */
  total: number | null;
  flaw: string | null;
}

/**
 * Hosts and alerts of the EDR platform. Errors are VendorErrors that name what failed (`token`, `hosts page 3`), and
 * EgressErrors of kind `aborted`.
 */
export class FalconClient {
  private readonly token: FalconToken;

  constructor(
    private readonly requests: VendorRequests,
    private readonly credentials: FalconCredentials,
    retryTiming: RetryTiming,
    /** Records of one page. The platform allows 10,000 hosts and 1,000 alerts. */
    private readonly pageSize: number,
  ) {
    this.token = new FalconToken(requests, credentials, retryTiming);
  }

  /** Signs in; for Test Connection. */
  async signIn(effort: Effort): Promise<void> {
    await this.token.get(undefined, effort);
  }

  /**
   * Hosts in the order of their changes, so that one that changes during the pull is returned again at the end. Uses
   * the combined endpoint: whole records at once, no limit on their number, and no token that expires after two
   * minutes.
   */
  hostPages(filter: string, signal: AbortSignal): AsyncGenerator<CountedPage> {
    const keys = keysBy('device_id', HOSTS_CHANGED_FIELD);
    return cursorPages<string>('hosts', this.pageSize, keys, ({ number, cursor, limit }) =>
      this.hosts({ what: `hosts page ${number}`, filter, offset: cursor, limit, signal }, PAGE_EFFORT),
    );
  }

  /** Alerts in the order of their changes, by the combined endpoint and its `after`. */
  alertPages(filter: string, signal: AbortSignal): AsyncGenerator<CountedPage> {
    const keys = keysBy('composite_id', ALERTS_CHANGED_FIELD);
    return cursorPages<string>('alerts', this.pageSize, keys, ({ number, cursor, limit }) =>
      this.alerts({ what: `alerts page ${number}`, filter, after: cursor, limit, signal }, PAGE_EFFORT),
    );
  }

  /** How many hosts a filter means; null: the platform does not say. */
  async countHosts(filter: string, signal?: AbortSignal, effort?: Effort): Promise<number | null> {
    const asked = { what: 'hosts', filter, offset: null, limit: 1, signal };
    return countOf(asked.what, await this.hosts(asked, effort));
  }

  /** How many alerts a filter means; null: the platform does not say. */
  async countAlerts(filter: string, signal?: AbortSignal, effort?: Effort): Promise<number | null> {
    const asked = { what: 'alerts', filter, after: null, limit: 1, signal };
    return countOf(asked.what, await this.alerts(asked, effort));
  }

  /**
   * Hosts by id, 5,000 ids at most. Hosts that the platform no longer has are missing. If the response is too large,
   * it requests the ids in halves.
   */
  async hostsById(what: string, ids: readonly string[], signal: AbortSignal): Promise<FoundHosts> {
    try {
      const { body, flaw } = await this.call({
        what,
        method: 'POST',
        path: '/devices/entities/devices/v2',
        json: { ids },
        // That a host is not there is an answer.
        errorIn: (body) => errorListed(body, ({ code }) => code !== 404),
        signal,
      });
      return { hosts: listOf(body.resources).filter(isObject), total: null, flaw };
    } catch (error) {
      if (!(error instanceof VendorError) || error.failure !== 'tooLarge' || ids.length < 2) throw error;
      const half = Math.ceil(ids.length / 2);
      const first = await this.hostsById(what, ids.slice(0, half), signal);
      const second = await this.hostsById(what, ids.slice(half), signal);
      return { hosts: [...first.hosts, ...second.hosts], total: null, flaw: first.flaw ?? second.flaw };
    }
  }

  /** The same by a filter, 100 ids at most: unlike by id, the platform counts the existing ones. */
  async hostsFiltered(what: string, ids: readonly string[], signal: AbortSignal): Promise<FoundHosts> {
    const asked = { what, filter: hostIdFilter(ids), offset: null, limit: ids.length, signal };
    const { records, total, flaw } = await this.hosts(asked);
    return { hosts: records, total, flaw };
  }

  private async hosts(
    asked: { what: string; filter: string; offset: string | null; limit: number; signal?: AbortSignal },
    effort?: Effort,
  ): Promise<CursorPage<string>> {
    const { what, filter, offset, limit, signal } = asked;
    const query = new URLSearchParams({ limit: String(limit), fields: HOST_FIELDS });
    query.set('sort', `${HOSTS_CHANGED_FIELD}.asc`);
    if (filter !== '') query.set('filter', filter);
    if (offset !== null) query.set('offset', offset);
    const path = `/devices/combined/devices/v1?${query}`;
    return pageOf(await this.call({ what, method: 'GET', path, signal }, effort), 'next');
  }

  private async alerts(
    asked: { what: string; filter: string; after: string | null; limit: number; signal?: AbortSignal },
    effort?: Effort,
  ): Promise<CursorPage<string>> {
    const { what, filter, after, limit, signal } = asked;
    const json: Json = { limit, sort: `${ALERTS_CHANGED_FIELD}|asc` };
    if (filter !== '') json.filter = filter;
    if (after !== null) json.after = after;
    const path = '/alerts/combined/alerts/v1';
    return pageOf(await this.call({ what, method: 'POST', path, json, signal }, effort), 'after');
  }

  /** Sends a request with a token. After a 401, repeats it with a new token. */
  private async call(request: FalconRequest, effort?: Effort): Promise<VendorAnswer> {
    let answer = await this.send(request, effort);
    if (answer.status === 401) {
      this.token.drop();
      answer = await this.send(request, effort);
    }
    if (answer.status < 300) return answer;
    throw this.refusal(request.what, answer);
  }

  private async send({ path, json, ...request }: FalconRequest, effort?: Effort): Promise<VendorAnswer> {
    const token = await this.token.get(request.signal, effort);
    return this.requests.send(
      {
        ...request,
        url: this.credentials.url + path,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${token}`,
          ...(json && { 'content-type': 'application/json' }),
        },
        body: json && JSON.stringify(json),
        isWhole: ({ resources }) => Array.isArray(resources),
        errorIn: request.errorIn ?? errorListed,
      },
      effort,
    );
  }

  private refusal(what: string, answer: VendorAnswer): VendorError {
    const { status } = answer;
    if (status === 401)
      return this.requests.refusal(
        what,
        'credentials',
        explained('the token is not accepted', this.token.elsewhere),
        answer,
      );
    if (status === 403) {
      return this.requests.refusal(what, 'scope', 'the API client has no permission to read this', answer);
    }
    return this.requests.refusal(what, 'request', 'the request was rejected', answer);
  }
}

const keysBy = (id: string, changed: string): RecordKeys => ({
  idOf: (record) => textOf(record[id]),
  keyOf: (record) => `${textOf(record[id])}\n${textOf(record[changed])}`,
});

/** @throws VendorError if the platform also reports an error */
function countOf(what: string, { total, flaw }: CursorPage<string>): number | null {
  if (flaw !== null) throw new VendorError(what, 'answer', flaw);
  return total;
}

function pageOf({ body, answeredAt, flaw }: VendorAnswer, cursor: 'next' | 'after'): CursorPage<string> {
  const pagination = objectOf(objectOf(body.meta).pagination);
  const { total } = pagination;
  const next = textOf(pagination[cursor], CURSOR_CHARS_MAX);
  return {
    records: recordsOf(listOf(body.resources)),
    total: typeof total === 'number' && total >= 0 ? total : null,
    next: next === '' ? null : next,
    answeredAt,
    flaw,
  };
}

const CURSOR_CHARS_MAX = 65_536;
