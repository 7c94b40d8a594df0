import type { Services } from '../services.ts';
import { originOf } from './clientAddress.ts';
import type { Request } from './request.ts';

/**
 * The address under which browsers and merchants know us, such as `https://pay.example`: what the operator has said, otherwise what this
 * request came by. Null when that cannot be one.
 */
export const originFor = ({ publicUrl, trust }: Pick<Services, 'publicUrl' | 'trust'>, { message }: Request): string | null =>
  publicUrl ?? originOf(message, trust);
