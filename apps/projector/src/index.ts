export { ProjectorModule } from './projector.module.ts';
