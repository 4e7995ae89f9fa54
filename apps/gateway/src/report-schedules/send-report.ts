import type { SendMailOptions } from 'nodemailer';
import { isoTime } from '#libs/domain';
import type { Egress } from '#libs/egress';
import { MAIL_NAME, messageIdOf, send, sendMail } from '#libs/webhooks';
import { type Attempt, attempt } from '../sending/attempt.ts';
import type { MadeReport } from './made-report.ts';
import {
  type ReportDelivery,
  type ReportEmail,
  type ReportWebhook,
  type ScheduleRow,
} from './report-schedule.ts';

/** A message is as large as its report. */
const MAIL_MS_MAX = 60_000;

/** A report on its way. */
export interface Outgoing {
  schedule: Pick<ScheduleRow, 'id' | 'name' | 'report'>;
  delivery: Pick<ReportDelivery, 'id' | 'at'>;
  made: MadeReport;
}

/** How it leaves the service. */
export interface Outlet {
  egress: Egress;
  clock: () => number;
  /** Origin of the service; null: it is not known. */
  publicUrl: string | null;
  signal: AbortSignal;
}

/** One message to all recipients. @throws EgressError `aborted` if the signal is */
export const sendByEmail = (
  outgoing: Outgoing,
  { url, from, to, user, password }: ReportEmail,
  { egress, clock, publicUrl, signal }: Outlet,
): Promise<Attempt> =>
  attempt(async () => {
    const connection = { egress, url, secret: password ?? '', clock, timeoutMs: MAIL_MS_MAX, signal };
    const message = { from, to, ...mailOf(outgoing, publicUrl) };
    const rejected = await sendMail(connection, user ?? undefined, message);
    return rejected === 0
      ? 'the mail server accepted the message'
      : `the mail server rejected ${rejected} of the ${to.length} recipients`;
  });

/** One signed CloudEvent. @throws EgressError `aborted` if the signal is */
export async function sendToWebhook(
  outgoing: Outgoing,
  { url, secret }: ReportWebhook,
  { egress, clock, signal }: Outlet,
): Promise<Attempt> {
  const { outcome, answer, retryAfterMs } = await send(egress, {
    ...{ url, signal, at: clock(), secrets: [secret] },
    id: messageIdOf(outgoing.delivery.id),
    body: Buffer.from(JSON.stringify([eventOf(outgoing)])),
  });
  const outcomes = { taken: 'sent', failed: 'failed', gone: 'refused' } as const;
  return { outcome: outcomes[outcome], answer, retryAfterMs };
}

const eventOf = ({ schedule, delivery, made }: Outgoing) => ({
  specversion: '1.0',
  id: delivery.id,
  type: `posture.report.${schedule.report}`,
  source: '/api/v3/report-schedules',
  time: isoTime(delivery.at),
  subject: schedule.id,
  datacontenttype: 'application/json',
  data: made.report,
});

function mailOf({ schedule, delivery, made }: Outgoing, publicUrl: string | null): SendMailOptions {
  const { title, summary, fileName, page, link } = made;
  const lines = [
    ...summary,
    '',
    'The report is attached as a page to read and print.',
    ...(publicUrl === null ? [] : [`${publicUrl}/${link}`]),
    '',
    `Sent by the report schedule "${schedule.name}".`,
  ];
  return {
    // The same if it is sent again: mail servers drop it.
    messageId: `<${delivery.id}@${MAIL_NAME}>`,
    subject: `${title}: ${schedule.name}`,
    text: `${lines.join('\n')}\n`,
    attachments: [{ filename: fileName, content: page, contentType: 'text/html; charset=utf-8' }],
  };
}
