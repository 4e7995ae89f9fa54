import { BadRequestException } from '@nestjs/common';
import { keyOf, newSecret } from '#libs/webhooks';
import { mailServerWith } from '../webhooks/given-mail-server.ts';
import type { SetReportEmailDto, SetReportWebhookDto } from './report-schedule.dto.ts';
import type { ReportEmail, ReportWebhook, ScheduleContent } from './report-schedule.ts';

/** The channels of a request over the stored ones; undefined: as they are; null: none. All throw BadRequestException. */
export function channelsWith(
  before: Pick<ScheduleContent, 'email' | 'webhook'>,
  { email, webhook }: { email?: SetReportEmailDto | null; webhook?: SetReportWebhookDto | null },
): Pick<ScheduleContent, 'email' | 'webhook'> {
  const after = {
    email: email === undefined ? before.email : email && emailWith(before.email, email),
    webhook: webhook === undefined ? before.webhook : webhook && webhookWith(before.webhook, webhook),
  };
  if (after.email || after.webhook) return after;
  throw new BadRequestException('email or webhook must say where the report is sent to');
}

const emailWith = (before: ReportEmail | null, given: SetReportEmailDto): ReportEmail => ({
  ...mailServerWith(before, given),
  from: given.from,
  to: given.to,
});

function webhookWith(before: ReportWebhook | null, { url, secret }: SetReportWebhookDto): ReportWebhook {
  if (secret !== undefined && keyOf(secret) === null) {
    throw new BadRequestException('webhook.secret must be whsec_ followed by 24 to 64 bytes in base64');
  }
  return { url, secret: secret ?? before?.secret ?? newSecret() };
}
