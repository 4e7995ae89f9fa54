/** The system of record: every event, keyed by entity, kept for ever (R-LOG-1). */
export const INTAKE_TOPIC = 'posture.intake';
