export { ScorerModule } from './scorer.module.ts';
