import { describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '#libs/config';
import { type EventLog, LogUnavailableError, type StoredRecord } from '#libs/event-log';
import { OtherSecretError, SubjectKeyError } from '#libs/sealing';
import { RetryLaterException, UnavailableException } from '../http/http-errors.ts';
import type { JsonUploadsService, SignalSender } from '../signals/json-uploads.service.ts';
import type { UploadReceipt } from '../signals/receipts.repository.ts';
import { InboxService } from './inbox.service.ts';
import type { RefusedSignal } from './refused-signals.ts';
import { uploadIdOf } from './taken-signals.ts';

const RECEIVED_AT = 1_750_000_000_000;

const records = (count: number, from = 10): StoredRecord[] =>
  Array.from({ length: count }, (_, i) => ({
    key: 'host',
    value: Buffer.from(i === 1 ? 'bad' : '{}'),
    headers: {},
    partition: 0,
    offset: from + i,
    storedAt: RECEIVED_AT,
  }));

interface Limits {
  /** Signals until the quota of the minute is spent. */
  quota?: number;
  isBehind?: boolean;
  hasSettings?: boolean;
  now?: number;
  /** Whether another gateway moved the position. */
  isMoved?: boolean;
  starts?: number;
  ends?: number;
  stored?: number | null;
  /** Whether the log is not folded up to where it ended at the opening. */
  isUnfolded?: boolean;
  /** Of the key of the subject of offset 10. */
  keyError?: SubjectKeyError;
  /** Offsets of records that are folded. */
  taken?: number[];
}

/** The service with everything around it in memory. */
function inbox({
  quota = 100,
  isBehind,
  hasSettings = true,
  now = RECEIVED_AT + 5,
  isMoved,
  starts = 0,
  ends = 100,
  stored = 10,
  isUnfolded,
  keyError,
  taken = [],
}: Limits) {
  const appended: string[] = [];
  const refused: number[] = [];
  const reasons: string[] = [];
  const advanced: { from: number; to: number; receipts: UploadReceipt[] }[] = [];
  const resets: number[] = [];
  const lines: string[] = [];
  let left = quota;
  const log = { starts: async () => [starts], ends: async () => [ends] } as unknown as EventLog;
  const signals = {
    prepare: async (
      bytes: Buffer,
      { uploadId, at, receivedAt }: Record<string, unknown>,
      { requestId }: SignalSender,
    ) => {
      if (keyError && requestId === 'posture.signals/0/10') throw keyError;
      return bytes.toString() === 'bad'
        ? { ok: false, problems: [{ field: 'name', message: 'is required' }] }
        : { ok: true, records: [`${uploadId} ${at} ${receivedAt}`], receipt: { uploadId }, answer: {} };
    },
  } as unknown as JsonUploadsService;
  const service = new InboxService(
    log,
    { now: () => now } as never,
    createLogger('info', { write: (line) => void lines.push(line) }),
    signals,
    { append: async (some: string[]) => void appended.push(...some) } as never,
    {
      take: async () => {
        if (left-- <= 0) throw new RetryLaterException(30, 'json_minute');
      },
    } as never,
    {
      assertWithinLimit: () => {
        if (!hasSettings) throw new UnavailableException('the settings are not loaded yet');
        if (isBehind) throw new RetryLaterException(30, 'fold_lag');
      },
    } as never,
    {
      find: async () => stored,
      reset: async (_: number, __: number | null, to: number) => void resets.push(to),
      advance: async (_: number, from: number, to: number, receipts: UploadReceipt[]) => {
        if (!isMoved) advanced.push({ from, to, receipts });
        return !isMoved;
      },
    } as never,
    {
      publish: async (_: number, some: RefusedSignal[]) => {
        refused.push(...some.map(({ record }) => record.offset));
        reasons.push(...some.flatMap((signal) => signal.reasons.map(({ message }) => message)));
      },
      release: async () => undefined,
    } as never,
    {
      open: async () => undefined,
      close: () => undefined,
      assertFolded: async () => {
        if (isUnfolded) throw new RetryLaterException(1, 'fold_lag');
      },
      receipts: async (some: StoredRecord[]) =>
        new Map(
          some
            .filter(({ offset }) => taken.includes(offset))
            .map((record) => [uploadIdOf(record), { uploadId: uploadIdOf(record), source: 'folded' }]),
        ),
    } as never,
  );
  return { service, appended, refused, reasons, advanced, resets, lines };
}

describe('InboxService', () => {
  it('appends the valid records, publishes the others, and moves the position past both', async () => {
    const { service, appended, refused, advanced } = inbox({});
    expect(await service.open(0)).toBe(10);
    expect(await service.take(records(3))).toBe(13);
    expect(appended).toHaveLength(2);
    expect(refused).toEqual([11]);
    expect(advanced).toMatchObject([{ from: 10, to: 13 }]);
    expect(advanced[0]!.receipts.map(({ source }) => source)).toEqual([
      'posture.signals/0/10',
      'posture.signals/0/12',
    ]);
  });

  it('publishes the record of a subject whose key is damaged, and takes the others (R-KEY-6)', async () => {
    const { service, appended, refused, reasons, advanced } = inbox({
      keyError: new SubjectKeyError('the key of ana is missing'),
    });
    await service.open(0);
    expect(await service.take(records(3))).toBe(13);
    expect(appended).toHaveLength(1);
    expect(refused).toEqual([10, 11]);
    expect(reasons[0]).toBe('the key of ana is missing');
    expect(advanced).toMatchObject([{ from: 10, to: 13 }]);
  });

  it('waits for the secret of a key of another secret, and refuses nothing', async () => {
    const keyError = new OtherSecretError('the key of ana was encrypted with a different secret key');
    const { service, appended, refused, advanced } = inbox({ keyError });
    await service.open(0);
    await expect(service.take(records(3))).rejects.toThrow(keyError);
    expect([appended, refused, advanced]).toEqual([[], [], []]);
  });

  it('gives a record that is read again the same upload, received when it was stored (R-INBOX-3)', async () => {
    const [first, second] = [inbox({}), inbox({ now: RECEIVED_AT + 3_600_000 })];
    for (const { service } of [first, second]) {
      await service.open(0);
      await service.take(records(1));
    }
    expect(first.appended).toEqual(second.appended);
    expect(first.appended[0]).toContain(`${RECEIVED_AT} ${RECEIVED_AT}`);
  });

  it('gives a record with the same offset of another topic, later, another upload (R-INBOX-3)', async () => {
    const { service, appended } = inbox({});
    await service.open(0);
    await service.take(records(1));
    await service.take(records(1).map((record) => ({ ...record, storedAt: RECEIVED_AT + 1 })));
    expect(appended[0]!.slice(0, 36)).not.toBe(appended[1]!.slice(0, 36));
  });

  it('does not believe a broker whose clock is ahead', async () => {
    const { service, appended } = inbox({ now: RECEIVED_AT - 60_000 });
    await service.open(0);
    await service.take(records(1));
    expect(appended[0]).toContain(`${RECEIVED_AT - 60_000}`);
  });

  it('takes as many as the quota of the minute allows, and reads the others later (R-INBOX-7)', async () => {
    const { service, advanced, refused } = inbox({ quota: 2 });
    await service.open(0);
    service.onModuleDestroy();
    expect(await service.take(records(5))).toBe(12);
    expect(advanced).toMatchObject([{ from: 10, to: 12 }]);
    expect(refused).toEqual([11]);
    expect(await service.take(records(3, 12))).toBe(12);
    expect(advanced).toHaveLength(1);
  });

  it('reads nothing while the fold is too far behind, and a stop ends the wait (R-INBOX-7)', async () => {
    const { service, advanced, appended } = inbox({ isBehind: true });
    await service.open(0);
    const taken = service.take(records(3));
    service.onModuleDestroy();
    expect(await taken).toBe(10);
    expect([advanced, appended]).toEqual([[], []]);
  });

  it('stores only the receipt of a record that is folded (R-INBOX-3)', async () => {
    const { service, appended, advanced } = inbox({ taken: [10] });
    await service.open(0);
    expect(await service.take(records(3))).toBe(13);
    expect(appended).toHaveLength(1);
    expect(advanced[0]!.receipts.map(({ source }) => source)).toEqual(['folded', 'posture.signals/0/12']);
  });

  it('reads nothing until it is known which records are folded (R-INBOX-3)', async () => {
    const { service, advanced, appended } = inbox({ isUnfolded: true });
    await service.open(0);
    const taken = service.take(records(3));
    service.onModuleDestroy();
    expect(await taken).toBe(10);
    expect([advanced, appended]).toEqual([[], []]);
  });

  it('reads again from the stored position after another gateway has moved it', async () => {
    const { service } = inbox({ isMoved: true });
    await service.open(0);
    await expect(service.take(records(1))).rejects.toThrow(LogUnavailableError);
  });

  it('believes that a topic was created again when it ends before the position for 10 s', async () => {
    const { service, resets, lines } = inbox({ stored: 500, ends: 7 });
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    try {
      await expect(service.open(0)).rejects.toThrow(
        'posture.signals/0 ends at 7, before the next offset 500',
      );
      now.mockReturnValue(9_999);
      await expect(service.open(0)).rejects.toThrow(LogUnavailableError);
      now.mockReturnValue(10_000);
      expect(await service.open(0)).toBe(0);
    } finally {
      now.mockRestore();
    }
    expect(resets).toEqual([0]);
    expect(lines.join('')).toContain('was created again');
  });

  it('waits for the settings', async () => {
    const { service } = inbox({ hasSettings: false });
    await service.open(0);
    await expect(service.take(records(1))).rejects.toThrow(LogUnavailableError);
  });

  it.each([
    ['begins with the first record', { stored: null, starts: 4 }, 4, null],
    ['continues', { stored: 50 }, 50, null],
    ['reports records that the topic removed', { stored: 3, starts: 8 }, 8, 'removed up to 5 records'],
  ])('%s', async (_, limits, start, line) => {
    const { service, lines } = inbox(limits);
    expect(await service.open(0)).toBe(start);
    expect(lines.join('')).toMatch(line ?? /^$/);
  });
});
