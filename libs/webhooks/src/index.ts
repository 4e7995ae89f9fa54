export { deliveryBody, placed } from './delivery-body.ts';
export { DeliveryStore } from './delivery-store.ts';
export { changesBehind, keptPlace, placeOf } from './position.ts';
export * from './retry.ts';
export { keyOf, newSecret } from './secret.ts';
export { send } from './send.ts';
export { MAIL_NAME, sendMail } from './tickets/email.ts';
export { readRepository } from './tickets/github.ts';
export { isJiraSite, PROJECT_KEY } from './tickets/jira.ts';
export { openTicketSystem } from './tickets/open-ticket-system.ts';
export { fittingLines } from './tickets/plain-message.ts';
export { clipped, line } from './tickets/plain-text.ts';
export { sendToSlack } from './tickets/slack.ts';
export { sendToTeams } from './tickets/teams.ts';
export type { LinkTicket } from './tickets/ticket-keeper.ts';
export * from './tickets/ticket-kinds.ts';
export { TicketStore } from './tickets/ticket-store.ts';
export { TicketError, type TicketSystem } from './tickets/ticket-system.ts';
export * from './webhook.ts';
export { type DeliveryParts, WebhookDelivery } from './webhook-delivery.ts';
export { deliveryRows, webhookRows } from './webhook-rows.ts';
export {
  type SealedSecrets,
  WebhookChangedError,
  WebhookSecretError,
  WebhookSecrets,
} from './webhook-secrets.ts';
