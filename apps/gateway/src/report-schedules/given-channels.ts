import { BadRequestException } from '@nestjs/common';
import { keyOf, newSecret } from '#libs/webhooks';
import { isMailServer } from '../webhooks/kind-rules.ts';
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

function emailWith(before: ReportEmail | null, given: SetReportEmailDto): ReportEmail {
  const { url, from, to, user = null } = given;
  if (!isMailServer(url)) {
    throw new BadRequestException(
      'email.url must be the address of a mail server, such as smtp://mail.example.com:587 or smtps://mail.example.com',
    );
  }
  // A password goes to the mail server that it was given for, and to no other.
  const isSame = before?.url === url && before.user === user;
  const password = given.password ?? (isSame ? before.password : null);
  if ((password === null) !== (user === null)) {
    throw new BadRequestException(
      'email.password must be the password of email.user at email.url: send both, or none of them',
    );
  }
  return { url, from, to, user, password };
}

function webhookWith(before: ReportWebhook | null, { url, secret }: SetReportWebhookDto): ReportWebhook {
  if (!/^https?:/i.test(url)) {
    throw new BadRequestException('webhook.url must be a URL that starts with http:// or https://');
  }
  if (secret !== undefined && keyOf(secret) === null) {
    throw new BadRequestException('webhook.secret must be whsec_ followed by 24 to 64 bytes in base64');
  }
  return { url, secret: secret ?? before?.secret ?? newSecret() };
}
