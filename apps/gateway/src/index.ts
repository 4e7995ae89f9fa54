export { firstAdmin } from './auth/first-admin.ts';
export { GatewayModule, type GatewayParts } from './gateway.module.ts';
export { configureGateway } from './http/configure-gateway.ts';
export { gatewayAdapter } from './http/gateway-adapter.ts';
