import { originFor, type Request } from '../../handler.ts';
import type { Services } from '../../services.ts';
import { gatewayUrl } from '../users/signIn.ts';

/** The origin of the API, for commands to copy and addresses to read. */
export const gatewayAt = (services: Pick<Services, 'publicUrl' | 'trust' | 'users'>, request: Request): string =>
  (request.side === 'gateway' ? originFor(services, request) : gatewayUrl(services, request)) || 'http://localhost:8080';
