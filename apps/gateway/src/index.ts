export { type CreatedGateway, createGateway } from './create-gateway.ts';
