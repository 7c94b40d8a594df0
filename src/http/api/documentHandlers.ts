import type { OpenApiDocumentName } from '../../spec/openApi/documents.ts';
import type { Services } from '../services.ts';
import { notFound, unavailable } from '../transport/errorReplies.ts';
import { originFor } from '../transport/origin.ts';
import type { Reply } from '../transport/reply.ts';
import type { Request } from '../transport/request.ts';

/** The API, or a part of it, as an OpenAPI document. */
export const openApiDocument =
  (name: OpenApiDocumentName) =>
  ({ documents }: Pick<Services, 'documents'>): Reply =>
    documents.openApi(name);

const takesGzip = ({ headers }: Request): boolean =>
  /(?:^|[\s,])gzip(?!\s*;\s*q=0(?:\.0*)?(?:[\s,]|$))/i.test(String(headers['accept-encoding'] ?? ''));

/** A page or a file of the documentation site. */
export async function docs(
  services: Pick<Services, 'documents' | 'environment' | 'publicUrl' | 'replies' | 'trust' | 'world'>,
  request: Request,
): Promise<Reply> {
  const { documents, environment, replies, world } = services;
  const origin = originFor(services, request) ?? 'http://localhost:8080';
  const path = request.path.slice('/docs'.length).replace(/^\//, '');
  try {
    return (await documents.file(path, { origin, environment, takesGzip: takesGzip(request) })) ?? notFound(replies);
  } catch (error) {
    world.alarm('the documentation could not be made', { why: (error as Error).message });
    return unavailable(replies, { remark: 'the pages cannot be made; the log says why' });
  }
}
