import type { Services } from '../../services.ts';
import { originFor } from '../../transport/origin.ts';
import type { Request } from '../../transport/request.ts';
import { gatewayUrl } from '../users/signIn.ts';

/** The origin of the API, for commands to copy and addresses to read. */
export const gatewayAt = (services: Pick<Services, 'publicUrl' | 'trust' | 'users'>, request: Request): string =>
  (request.side === 'gateway' ? originFor(services, request) : gatewayUrl(services, request)) || 'http://localhost:8080';
