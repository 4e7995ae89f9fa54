import { Module } from '@nestjs/common';
import { CONFIG, EGRESS } from '../tokens.ts';
import { EgressController } from './egress.controller.ts';
import { EgressDto, egressView } from './egress.dto.ts';
import { EgressCloser, egressProvider } from './egress-provider.ts';

@Module({
  controllers: [EgressController],
  providers: [egressProvider, EgressCloser, { provide: EgressDto, inject: [CONFIG], useFactory: egressView }],
  exports: [EGRESS],
})
export class EgressModule {}
