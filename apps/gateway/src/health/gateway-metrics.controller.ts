import { Controller } from '@nestjs/common';
import { MetricsController } from '#libs/program';
import { Public } from '../auth/scopes.ts';

/** Asked without an access token (docs/observing.md): METRICS_TOKEN is another, which every program takes. */
@Public()
@Controller('metrics')
export class GatewayMetricsController extends MetricsController {}
