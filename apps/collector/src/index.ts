export { collectorModule } from './collector.module.ts';
