export {
  type DueDate,
  dueDateOf,
  OPEN_STATES,
  SLA_STATES,
  type SlaState,
  slaStateOf,
} from './due.ts';
export {
  bySeverityOnly,
  distinguishesDecisions,
  LEVELS_BY_RANK,
  NO_SLA_FACTS,
  type Sla,
  type SlaFacts,
  slaDays,
  slaProblem,
} from './sla.ts';
