import { type Json, listOf, objectOf, textOf } from '../json-values.ts';
import { type CountedPage, type CursorPage, cursorPages, recordsOf } from '../requests/cursor-pages.ts';
import { errorListed } from '../requests/reported-errors.ts';
import { VendorError } from '../requests/vendor-error.ts';
import {
  type Effort,
  PAGE_EFFORT,
  SINGLE_EFFORT,
  type VendorAnswer,
  type VendorRequests,
} from '../requests/vendor-requests.ts';
import { connectivityBody, countBody, pageBody } from './axonius-request.ts';

export interface AxoniusCredentials {
  /** Base URL, without a slash at its end. */
  url: string;
  apiKey: string;
  apiSecret: string;
}

const COUNT_POLL_MS = 500;
const COUNT_POLLS_MAX = 20;
const CURSOR_CHARS_MAX = 65_536;

interface Position {
  offset: number;
  cursor: string | null;
}

/** Devices of the inventory platform. Errors are VendorErrors (`devices page 3`), and EgressErrors of kind `aborted`. */
export class AxoniusClient {
  constructor(
    private readonly requests: VendorRequests,
    private readonly credentials: AxoniusCredentials,
    /** Devices of one page; one is up to some 20 KB. */
    private readonly pageSize: number,
  ) {}

  /** All devices, until the page that has none. */
  devicePages(signal: AbortSignal): AsyncGenerator<CountedPage> {
    return cursorPages<Position>('devices', this.pageSize, { idOf, keyOf }, ({ number, cursor, limit }) =>
      this.page(`devices page ${number}`, cursor ?? { offset: 0, cursor: null }, limit, signal),
    );
  }

  /** How many devices there are; null if the platform is not ready to say in ten seconds. */
  async countDevices(signal: AbortSignal): Promise<number | null> {
    for (let poll = 1; poll <= COUNT_POLLS_MAX; poll++) {
      const answer = await this.post(
        'devices count',
        '/api/devices/count',
        countBody(),
        signal,
        SINGLE_EFFORT,
      );
      const value = objectOf(objectOf(answer.body.data).attributes).value;
      if (typeof value === 'number') return value;
      await this.requests.pause(COUNT_POLL_MS, signal);
    }
    return null;
  }

  /** The documented connectivity check; returns whether a device came. */
  async connect(effort: Effort): Promise<boolean> {
    const body = connectivityBody();
    const answer = await this.post('connection', '/api/devices', body, undefined, effort, hasData);
    if (answer.flaw !== null) throw new VendorError('connection', 'request', answer.flaw);
    return listOf(answer.body.data).length > 0;
  }

  private async page(
    what: string,
    at: Position,
    limit: number,
    signal: AbortSignal,
  ): Promise<CursorPage<Position>> {
    const asked = pageBody(at.offset, limit, at.cursor);
    const { body, answeredAt, flaw } = await this.post(
      what,
      '/api/devices',
      asked,
      signal,
      PAGE_EFFORT,
      hasData,
    );
    const meta = objectOf(body.meta);
    const total = objectOf(meta.page).totalResources;
    const records = recordsOf(listOf(body.data));
    const cursor = textOf(meta.cursor, CURSOR_CHARS_MAX) || at.cursor;
    return {
      records,
      total: typeof total === 'number' && total >= 0 ? total : null,
      next: { offset: at.offset + records.length, cursor },
      answeredAt,
      flaw,
    };
  }

  private async post(
    what: string,
    path: string,
    json: Json,
    signal?: AbortSignal,
    effort?: Effort,
    isWhole?: (body: Json) => boolean,
  ): Promise<VendorAnswer> {
    const { url, apiKey, apiSecret } = this.credentials;
    const answer = await this.requests.send(
      {
        what,
        method: 'POST',
        url: url + path,
        headers: { 'api-key': apiKey, 'api-secret': apiSecret, 'Content-Type': 'application/json' },
        body: JSON.stringify(json),
        isWhole,
        errorIn: errorListed,
        signal,
      },
      effort,
    );
    if (answer.status < 300) return answer;
    throw this.refusal(what, answer);
  }

  private refusal(what: string, answer: VendorAnswer): VendorError {
    if (answer.status === 401) {
      return this.requests.refusal(what, 'credentials', 'API key and secret are not accepted', answer);
    }
    if (answer.status === 403) {
      return this.requests.refusal(
        what,
        'scope',
        'the user has no permission to view device assets through the API',
        answer,
      );
    }
    if (answer.status === 404) {
      return this.requests.refusal(what, 'answer', 'the path does not exist: check the base URL', answer);
    }
    return this.requests.refusal(what, 'request', 'the request was rejected', answer);
  }
}

/** A page without devices is an empty list, never null. */
const hasData = ({ data }: Json): boolean => Array.isArray(data);

const idOf = (record: Json): string =>
  textOf(objectOf(record.attributes).internal_axon_id) || textOf(record.id);

const keyOf = (record: Json): string => idOf(record) || JSON.stringify(record);
