import { originFor } from '../server/origin.ts';
import type { Reply } from '../server/reply.ts';
import type { Request } from '../server/request.ts';
import type { Services } from '../services.ts';

/** The API as an OpenAPI document. */
export const openApi = ({ documents }: Pick<Services, 'documents'>): Reply => documents.openApi();

/** The API as a reference page. */
export const docs = (services: Pick<Services, 'documents' | 'publicUrl' | 'trust'>, request: Request): Reply =>
  services.documents.page(originFor(services, request) ?? 'http://localhost:8080');
