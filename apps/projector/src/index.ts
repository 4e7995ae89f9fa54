export { ProjectorModule } from './projector.module.ts';
export { projectorServer } from './projector-server.ts';
