/** The system of record: every event, keyed by entity, kept for ever (design "Topics"). */
export const INTAKE_TOPIC = 'posture.intake';
