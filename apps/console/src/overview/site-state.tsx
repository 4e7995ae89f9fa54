import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type Api, api, type Failure } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { list, number } from '../language/format.ts';
import { byteText } from '../parts/byte-text.ts';
import { Instant } from '../parts/instant.tsx';
import { Answered } from '../parts/states.tsx';
import { Section, Waiting } from '../risk/section.tsx';
import { useMay } from '../session/session.ts';
import { useTick } from '../time/use-tick.ts';
import classes from './site-state.module.css';

const UPLOADS_READ = 100;
/** Above the maximum number of integrations. */
const INTEGRATIONS_READ = 100;
const WEBHOOKS_READ = 100;
const EVENTS_READ = 200;
const POLL_MS = 30_000;
/** Uploads that wait longer are a problem. */
const LAG_MS_MAX = 60_000;
const DAY_MS = 86_400_000;
const NAMES_SHOWN = 3;

/** For users who run the service: what is late, failed or refused. */
export function SiteState() {
  return (
    <Section title={t`Site`}>
      <ul className={classes.list}>
        {useMay('uploads:read') && <Processing />}
        {useMay('uploads:read') && <RefusedUploads />}
        {useMay('settings:read') && <Space />}
        {useMay('integrations:read') && <Syncs />}
        {useMay('webhooks:read') && <Deliveries />}
        {useMay('security-events:read') && <Refusals />}
      </ul>
    </Section>
  );
}

const OPTIONS = { refetchInterval: POLL_MS };

/** Lag and rejected entries of the latest uploads. */
function Processing() {
  // The same uploads can be late a moment later.
  const now = useTick(POLL_MS);
  const uploads = api.useQuery(
    'get',
    '/api/v3/uploads',
    { params: { query: { limit: UPLOADS_READ } } },
    OPTIONS,
  );
  return (
    <Read query={uploads}>
      {({ items, nextCursor }) => {
        const pending = items.filter(({ done }) => !done);
        const oldest = pending.at(-1)?.receivedAt;
        const isLate = oldest !== undefined && now - Date.parse(oldest) > LAG_MS_MAX;
        const rejecting = items.filter(({ rejected }) => rejected > 0);
        return (
          <>
            <Line
              isGood={!isLate}
              to="/uploads"
              label={pending.length === 0 ? t`All uploads are processed` : pendingText(pending, nextCursor)}
            >
              {oldest === undefined ? (
                items[0] ? (
                  <Trans>
                    The last one is from <Instant at={items[0].receivedAt} />.
                  </Trans>
                ) : (
                  t`No upload yet.`
                )
              ) : (
                <Trans>
                  The oldest is from <Instant at={oldest} />.
                </Trans>
              )}
            </Line>
            <Line
              isGood={rejecting.length === 0}
              to={rejecting[0] ? `/uploads/${rejecting[0].id}` : '/uploads'}
              label={rejecting.length === 0 ? t`No rejected entries` : t`Rejected entries`}
            >
              {rejecting.length === 0
                ? plural(items.length, {
                    one: 'In the last # upload.',
                    other: 'In the last # uploads.',
                  })
                : rejectedText(
                    sum(rejecting.map(({ rejected }) => rejected)),
                    rejecting.length,
                    items.length,
                  )}
            </Line>
          </>
        );
      }}
    </Read>
  );
}

/** Of today and yesterday, as the refused sign-ins. */
const REFUSED_DAYS = 2;

/** Refused uploads of a reason. */
const refusalWords = (count: number): Record<Api['RefusedUploadDto']['reason'], string> => ({
  content: plural(count, { one: '# with invalid content', other: '# with invalid content' }),
  request: plural(count, { one: '# with an invalid request', other: '# with invalid requests' }),
  tooLarge: plural(count, { one: '# too large', other: '# too large' }),
  mediaType: plural(count, { one: '# of a wrong content type', other: '# of a wrong content type' }),
  conflict: plural(count, { one: '# in conflict with another', other: '# in conflict with others' }),
  lag: plural(count, { one: '# while the processing lagged', other: '# while the processing lagged' }),
  minuteLimit: plural(count, {
    one: '# above the limit of a minute',
    other: '# above the limit of a minute',
  }),
  dayLimit: plural(count, { one: '# above the limit of a day', other: '# above the limit of a day' }),
  memory: plural(count, { one: '# with too many bytes at once', other: '# with too many bytes at once' }),
  busy: plural(count, { one: '# with too many others at once', other: '# with too many others at once' }),
  other: plural(count, { one: '# for another reason', other: '# for other reasons' }),
});

/** Uploads that were refused as a whole. */
function RefusedUploads() {
  const refused = api.useQuery(
    'get',
    '/api/v3/refused-uploads',
    { params: { query: { days: REFUSED_DAYS } } },
    OPTIONS,
  );
  return (
    <Read query={refused}>
      {({ items }) => {
        const total = sum(items.map(({ count }) => count));
        return (
          <Line
            isGood={total === 0}
            label={
              total === 0
                ? t`No refused upload`
                : plural(total, { one: '# refused upload', other: '# refused uploads' })
            }
          >
            {total === 0 ? sinceYesterday() : `${sinceYesterday()} ${refusalsText(items)}`}
          </Line>
        );
      }}
    </Read>
  );
}

const sinceYesterday = (): string => t`Since yesterday, 00:00 UTC.`;

/** Most frequent reason first. */
function refusalsText(items: readonly Api['RefusedUploadDto'][]): string {
  const counts = new Map<Api['RefusedUploadDto']['reason'], number>();
  for (const { reason, count } of items) counts.set(reason, (counts.get(reason) ?? 0) + count);
  const reasons = list(
    [...counts].sort(([, a], [, b]) => b - a).map(([reason, count]) => refusalWords(count)[reason]),
    'unit',
  );
  return t`By reason: ${reasons}.`;
}

/** Below this part, the disk of `DATA_DIR` is almost full, as the alert says it. */
const FREE_PART_MIN = 0.1;

function Space() {
  const storage = api.useQuery('get', '/api/v3/storage', {}, OPTIONS);
  return (
    <Read query={storage}>
      {({ databaseBytes, dataDir }) => {
        const isGood = dataDir === null || dataDir.freeBytes >= FREE_PART_MIN * dataDir.sizeBytes;
        return (
          <Line
            isGood={isGood}
            label={
              dataDir === null ? t`Database` : isGood ? t`Enough disk space` : t`The disk is almost full`
            }
          >
            {spaceText(databaseBytes, dataDir)}
          </Line>
        );
      }}
    </Read>
  );
}

function Syncs() {
  const integrations = api.useQuery(
    'get',
    '/integrations',
    { params: { query: { limit: INTEGRATIONS_READ } } },
    OPTIONS,
  );
  return (
    <Read query={integrations}>
      {({ items }) => {
        const failed = items.filter(hasFailed);
        const incomplete = items.filter(({ configState }) => configState === 'incomplete');
        return (
          <>
            <Line
              isGood={failed.length === 0}
              to={addressOf(failed)}
              label={failed.length === 0 ? t`No failed sync` : failedSyncsText(failed.length, items.length)}
            >
              {failed.length === 0
                ? items.length === 0
                  ? t`No integration yet.`
                  : plural(items.length, {
                      one: 'Last sync of # integration.',
                      other: 'Last sync of # integrations.',
                    })
                : namesOf(failed.map(({ name }) => name))}
            </Line>
            {incomplete.length > 0 && (
              <Line
                isGood={false}
                to={addressOf(incomplete)}
                label={incompleteText(incomplete.length, items.length)}
              >
                {namesOf(incomplete.map(({ name }) => name))}
              </Line>
            )}
          </>
        );
      }}
    </Read>
  );
}

/** A sync that a user cancelled has not failed. */
const hasFailed = ({ sync }: Api['IntegrationDto']): boolean =>
  sync !== null &&
  sync.endReason !== 'cancelled' &&
  (sync.statusName === 'Error' || sync.statusName === 'Partial Success');

const addressOf = (integrations: readonly Api['IntegrationDto'][]): string =>
  integrations.length === 1 ? `/integrations/${integrations[0]!.id}` : '/integrations';

function Deliveries() {
  const webhooks = api.useQuery(
    'get',
    '/api/v3/webhooks',
    { params: { query: { limit: WEBHOOKS_READ } } },
    OPTIONS,
  );
  return (
    <Read query={webhooks}>
      {({ items }) => {
        const paused = items.filter(({ paused }) => paused !== null && paused.reason !== 'user');
        return (
          <Line
            isGood={paused.length === 0}
            to="/settings/webhooks"
            label={paused.length === 0 ? t`No webhook has stopped` : stoppedText(paused.length, items.length)}
          >
            {paused.length === 0
              ? items.length === 0
                ? t`No webhook yet.`
                : ofText(items.length)
              : namesOf(paused.map(({ url }) => url))}
          </Line>
        );
      }}
    </Read>
  );
}

/** Refused sign-ins and tokens of a day. */
function Refusals() {
  const from = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS).toISOString();
  const events = api.useQuery(
    'get',
    '/api/v3/security-events',
    { params: { query: { outcome: 'refused', from, limit: EVENTS_READ } } },
    OPTIONS,
  );
  return (
    <Read query={events}>
      {(answer) => {
        // JSON lines, which are not requested.
        if (typeof answer === 'string') return null;
        const { items, nextCursor } = answer;
        const refused = sum(items.map(({ count }) => count));
        return (
          <Line
            isGood={items.length === 0}
            label={refused === 0 ? t`No refused sign-in or token` : refusedText(refused, nextCursor !== null)}
          >
            {sinceYesterday()}
          </Line>
        );
      }}
    </Read>
  );
}

function Read<Data>({
  query,
  children,
}: {
  query: { data: Data | undefined; error: Failure | null; refetch: () => unknown };
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  return (
    <li>
      <Answered query={query} waiting={<Waiting height={40} />}>
        {children}
      </Answered>
    </li>
  );
}

/** @param isGood false: an operator should look at it */
function Line({
  isGood,
  to,
  label,
  children,
}: {
  isGood: boolean;
  to?: string;
  label: string;
  children: ReactNode;
}) {
  const Icon = isGood ? IconCircleCheck : IconAlertTriangle;
  const color = isGood ? 'var(--mantine-color-green-filled)' : 'var(--mantine-color-orange-filled)';
  return (
    <li className={classes.item}>
      <Icon size={18} color={color} aria-hidden />
      <span>
        <VisuallyHidden>{isGood ? t`OK:` : t`Attention:`} </VisuallyHidden>
        {to === undefined ? (
          label
        ) : (
          <AppLink to={to} inherit>
            {label}
          </AppLink>
        )}
      </span>
      <span className={classes.about}>{children}</span>
    </li>
  );
}

const sum = (counts: readonly number[]): number => counts.reduce((total, one) => total + one, 0);
/** All uploads of the first page can be pending. */
const pendingText = ({ length }: readonly unknown[], nextCursor: string | null): string =>
  length === UPLOADS_READ && nextCursor !== null
    ? plural(length, { one: 'More than # upload in process', other: 'More than # uploads in process' })
    : plural(length, { one: '# upload in process', other: '# uploads in process' });

function rejectedText(entries: number, uploads: number, read: number): string {
  const [rejected, all] = [number(entries), number(read)];
  return plural(uploads, {
    one: `${rejected} in # upload of the last ${all}. The link opens the latest.`,
    other: `${rejected} in # uploads of the last ${all}. The link opens the latest.`,
  });
}

function spaceText(databaseBytes: number, dataDir: Api['StorageDto']['dataDir']): string {
  const database = byteText(databaseBytes);
  if (dataDir === null) return t`The database has ${database}.`;
  const [free, size] = [byteText(dataDir.freeBytes), byteText(dataDir.sizeBytes)];
  return t`The database has ${database}. ${free} of ${size} are free for the gateway.`;
}

const failedSyncsText = (failed: number, all: number): string =>
  plural(all, {
    one: `Last sync failed: ${failed} of # integration`,
    other: `Last sync failed: ${failed} of # integrations`,
  });

const incompleteText = (incomplete: number, all: number): string =>
  plural(all, {
    one: `Secret missing: ${incomplete} of # integration`,
    other: `Secret missing: ${incomplete} of # integrations`,
  });

const stoppedText = (stopped: number, all: number): string =>
  plural(all, { one: `${stopped} of # webhook stopped`, other: `${stopped} of # webhooks stopped` });

const ofText = (all: number): string => t`Of ${all}.`;

const refusedText = (refused: number, isMore: boolean): string =>
  isMore
    ? plural(refused, {
        one: 'More than # refused sign-in or token',
        other: 'More than # refused sign-ins and tokens',
      })
    : plural(refused, { one: '# refused sign-in or token', other: '# refused sign-ins and tokens' });

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).join(', ');
  const more = names.length - NAMES_SHOWN;
  return more <= 0 ? shown : t`${shown} and ${more} more`;
}
