/** Signals that other programs send to Kafka (R-INBOX-1). */
export const SIGNALS_TOPIC = 'posture.signals';
/** Records of it that are no valid signals, with the reasons (R-INBOX-4). */
export const REFUSED_SIGNALS_TOPIC = 'posture.signals.refused';
