import { consumerServer, PROJECTORS, type Program, SCORERS } from '#libs/program';
import { collectorModule } from '../../collector/src/index.ts';
import { type CreatedGateway, createGateway } from '../../gateway/src/index.ts';
import { ProjectorModule } from '../../projector/src/index.ts';
import { ScorerModule } from '../../scorer/src/index.ts';

export interface StartedAll extends Pick<CreatedGateway, 'credentials'> {
  /** Its address. */
  url: string;
  dataDir: string;
}

/** All programs in this process: the same modules that run apart. */
export async function startAll(program: Program): Promise<StartedAll> {
  const { app, credentials } = await createGateway(
    program,
    [ProjectorModule, ScorerModule, collectorModule(program)],
    [consumerServer(program, PROJECTORS), consumerServer(program, SCORERS)],
  );
  await app.startAllMicroservices();
  await app.listen(program.config.port, program.config.host);
  return { url: await app.getUrl(), dataDir: program.config.dataDir, credentials };
}
