import { Controller } from '@nestjs/common';
import { HealthController } from '#libs/program';
import { Public } from '../auth/roles.ts';

/** Asked without a token (api.md). */
@Public()
@Controller('health')
export class GatewayHealthController extends HealthController {}
